// The fence: how a request is spelled, what it keeps, and the three refusals in their exact words.
#include "backend/filter.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/backend/test_registry.h"

namespace minfer {
namespace {

struct Refusal {
  ErrorCode code = ErrorCode::kInternal;
  std::string text = "no refusal";
};

Refusal refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {};
}

// "cpu, metal, cuda" and whatever the list holds by now.
std::string known_names() {
  std::string names;
  for (const BackendInfo& info : known_backends()) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

Refusal resolve_refusal(const std::vector<std::string>& names, const Registry& registry) {
  return refusal_of([&] { BackendFilter::resolve(names, registry); });
}

const Registry kPlainBuild = registry_of({kBackendCpu});
const Registry kFullBuild = registry_of({kBackendCpu, kBackendMetal, kBackendCuda});

// "cm-" for cpu and metal allowed, cuda not.
std::string allowed(const BackendFilter& filter) {
  return std::string() + (filter.allows(kBackendCpu) ? 'c' : '-') + (filter.allows(kBackendMetal) ? 'm' : '-') +
         (filter.allows(kBackendCuda) ? 'u' : '-');
}

std::string requested(const BackendFilter& filter) {
  return std::string() + (filter.requests(kBackendCpu) ? 'c' : '-') + (filter.requests(kBackendMetal) ? 'm' : '-') +
         (filter.requests(kBackendCuda) ? 'u' : '-');
}

TEST(BackendFilter, WithoutARequestEverythingIsAllowedAndNothingRequested) {
  const std::vector<std::vector<std::string>> requests = {{}, {""}, {" "}, {",", " , \t"}};
  for (const auto& names : requests) {
    const BackendFilter filter = BackendFilter::resolve(names, kFullBuild);
    EXPECT_EQ(allowed(filter), "cmu");
    EXPECT_EQ(requested(filter), "---");
    EXPECT_TRUE(filter.allows(Backend(7)));
  }
  EXPECT_EQ(allowed(BackendFilter()), "cmu");
}

TEST(BackendFilter, RequestOnlyRemovesAndKeepsTheCpu) {
  const BackendFilter cuda = BackendFilter::resolve({"cuda"}, kFullBuild);
  EXPECT_EQ(allowed(cuda), "c-u");
  EXPECT_EQ(requested(cuda), "--u");
  EXPECT_FALSE(cuda.allows(Backend(7)));
  const BackendFilter cpu = BackendFilter::resolve({"cpu"}, kFullBuild);
  EXPECT_EQ(allowed(cpu), "c--");
  EXPECT_EQ(requested(cpu), "c--");
}

TEST(BackendFilter, TakesCommasRepeatsCaseAndBlanks) {
  const std::vector<std::vector<std::string>> spellings = {
      {"metal", "cuda"},      {"metal,cuda"},   {"cuda,metal"},        {" Metal , CUDA "},
      {"cuda", "metal,cuda"}, {"cuda,,metal,"}, {"\tcuda\n", "METAL"}, {"", "metal", ",cuda"}};
  for (const auto& names : spellings) {
    const BackendFilter filter = BackendFilter::resolve(names, kFullBuild);
    EXPECT_EQ(allowed(filter), "cmu") << names[0];
    EXPECT_EQ(requested(filter), "-mu") << names[0];
  }
}

TEST(BackendFilter, RefusesUnknownNamesOnEveryBuild) {
  for (const Registry* registry : {&kPlainBuild, &kFullBuild}) {
    const Refusal refusal = resolve_refusal({"gpu2"}, *registry);
    EXPECT_EQ(refusal.code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(refusal.text, "unknown backend 'gpu2'; known backends are: " + known_names());
    EXPECT_TRUE(refusal.text.starts_with("unknown backend 'gpu2'; known backends are: cpu, metal, cuda"))
        << refusal.text;
    EXPECT_EQ(resolve_refusal({"cpu", " Gpu2 ,cpu"}, *registry).text,
              "unknown backend 'Gpu2'; known backends are: " + known_names());
  }
}

TEST(BackendFilter, RefusesKnownNamesThatTheBuildLacksWithAnotherMessage) {
  const Refusal cuda = resolve_refusal({"cuda"}, kPlainBuild);
  EXPECT_EQ(cuda.code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(cuda.text,
            "backend 'cuda' is known but not compiled into this build: the CUDA backend is compiled only with "
            "-DMINFER_CUDA=ON");
  EXPECT_EQ(resolve_refusal({"cpu,METAL"}, kPlainBuild).text,
            "backend 'metal' is known but not compiled into this build: Metal is compiled only on macOS with "
            "-DMINFER_METAL=ON");
  EXPECT_EQ(resolve_refusal({"cuda"}, registry_of({kBackendCpu, kBackendCuda})).text, "no refusal");
}

TEST(BackendFilter, RefusesNamedBackendsThatTheMachineLacks) {
  Registry registry = registry_of({kBackendCpu});
  registry.add(entry_of(kBackendCuda, std::string(known_backends()[2].not_available)));
  const BackendFilter named = BackendFilter::resolve({"cuda"}, registry);
  const Refusal refusal = refusal_of([&] { named.check_available(registry); });
  EXPECT_EQ(refusal.code, ErrorCode::kUnsupported);
  EXPECT_EQ(refusal.text,
            "backend 'cuda' is compiled in but not available on this machine: no CUDA device is available, or CUDA is "
            "disabled (MINFER_DISABLE_CUDA)");
}

TEST(BackendFilter, AsksNothingAboutBackendsThatWereNotNamed) {
  Registry registry;
  registry.add(entry_of(kBackendCpu));
  BackendEntry cuda = entry_of(kBackendCuda);
  int asked = 0;
  cuda.unavailable = [&asked] {
    ++asked;
    return std::optional<std::string>("absent");
  };
  registry.add(std::move(cuda));
  EXPECT_NO_THROW(BackendFilter().check_available(registry));
  EXPECT_NO_THROW(BackendFilter::resolve({"cpu"}, registry).check_available(registry));
  EXPECT_EQ(asked, 0);
  const BackendFilter named = BackendFilter::resolve({"cpu,cuda"}, registry);
  EXPECT_EQ(asked, 0) << "resolving names touches no device";
  EXPECT_THROW(named.check_available(registry), Error);
  EXPECT_EQ(asked, 1);
}

TEST(BackendFilter, AvailableNamedBackendsPass) {
  EXPECT_NO_THROW(BackendFilter::resolve({"cuda,metal,cpu"}, kFullBuild).check_available(kFullBuild));
}

TEST(BackendFilter, RefusesARegistryThatItWasNotResolvedWith) {
  const BackendFilter filter = BackendFilter::resolve({"cuda"}, kFullBuild);
  EXPECT_EQ(refusal_of([&] { filter.check_available(kPlainBuild); }).text,
            "[filter] backend 'cuda' was resolved with another registry");
}

TEST(BackendFilter, KnowsKindsThatATestRegistered) {
  const Registry registry = registry_of({kBackendCpu, Backend(7)});
  const BackendFilter filter = BackendFilter::resolve({"backend7"}, registry);
  EXPECT_TRUE(filter.requests(Backend(7)));
  EXPECT_FALSE(filter.allows(Backend(8)));
  EXPECT_EQ(resolve_refusal({"backend8"}, registry).text,
            "unknown backend 'backend8'; known backends are: " + known_names());
}

TEST(BackendFilter, HostileNamesAreRefusedInPrintableText) {
  EXPECT_EQ(resolve_refusal({"\x1b[31mcpu"}, kPlainBuild).text,
            "unknown backend '\\x1B[31mcpu'; known backends are: " + known_names());
  EXPECT_LT(resolve_refusal({std::string(1000000, 'x')}, kPlainBuild).text.size(), 400u);
  EXPECT_EQ(resolve_refusal({std::string(100000, ',')}, kPlainBuild).text, "no refusal");
}

}  // namespace
}  // namespace minfer
