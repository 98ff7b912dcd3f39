// Templates that try to take all time, memory or stack end with an error; so does every damaged one.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "text/chat_template/chat_template.h"

namespace minfer::test {
namespace {

std::string repeated(const std::string& unit, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += unit;
  return out;
}

// Limits low enough that a test takes milliseconds.
jinja::Limits small() {
  jinja::Limits limits;
  limits.max_steps = 300'000;
  limits.max_bytes = uint64_t{1} << 23;
  limits.max_output = uint64_t{1} << 20;
  return limits;
}

std::string outcome(const std::string& source, const jinja::Limits& limits) {
  try {
    return "text: " + ChatTemplate::parse(source, limits).render({});
  } catch (const TemplateError& error) {
    return error.detail();
  }
}

// Without the construct that a limit's message names.
std::string outcome(const std::string& source) {
  const std::string text = outcome(source, small());
  return text.substr(0, text.find(", in "));
}

TEST(HostileTemplate, DeepNestingIsASyntaxError) {
  const char* nested = "brackets and blocks are nested more than 200 deep";
  EXPECT_EQ(outcome("{{ " + repeated("(", 100000) + "1"), nested);
  EXPECT_EQ(outcome("{{ " + repeated("[", 100000)), nested);
  EXPECT_EQ(outcome("{{ " + repeated("{1:", 100000)), nested);
  EXPECT_EQ(outcome("{{ " + repeated("not ", 100000) + "1 }}"), nested);
  EXPECT_EQ(outcome("{{ " + repeated("- ", 100000) + "1 }}"), nested);
  EXPECT_EQ(outcome("{{ " + repeated("1 if 1 else ", 100000) + "1 }}"), nested);
  EXPECT_EQ(outcome("{{ " + repeated("f(", 100000)), nested);
  EXPECT_EQ(outcome(repeated("{% if 1 %}", 100000)), nested);
  EXPECT_EQ(outcome("{% set " + repeated("(", 100000)), nested);
}

TEST(HostileTemplate, LongChainsAreASyntaxError) {
  const char* chain = "an expression of more than 600 steps";
  EXPECT_EQ(outcome("{{ 1" + repeated("+1", 100000) + " }}"), chain);
  EXPECT_EQ(outcome("{{ a" + repeated(".a", 100000) + " }}"), chain);
  EXPECT_EQ(outcome("{{ a" + repeated("[0]", 100000) + " }}"), chain);
  EXPECT_EQ(outcome("{{ a" + repeated("|list", 100000) + " }}"), chain);
  EXPECT_EQ(outcome("{{ a" + repeated("()", 100000) + " }}"), chain);
  EXPECT_EQ(outcome("{{ 1" + repeated(" and 1", 100000) + " }}"), chain);
  EXPECT_EQ(outcome("{{ 1" + repeated("*1", 500) + " }}"), "text: 1") << "a chain below the bound";
}

TEST(HostileTemplate, EndlessWorkStops) {
  const char* steps = "the template takes more than 300000 steps";
  EXPECT_EQ(outcome("{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}"), steps);
  EXPECT_EQ(outcome("{% for a in range(100000) %}{{ range(100000)|list|length }}{% endfor %}").substr(0, 12),
            "the template");
  EXPECT_EQ(outcome("{% set l = range(3000)|map('string')|list %}{{ l|unique|list|length }}"), steps);
  EXPECT_EQ(outcome("{% for x in range(100000) %}{{ range(100000)|select('eq', -1)|list }}{% endfor %}"), steps);
}

TEST(HostileTemplate, EndlessRecursionStops) {
  const char* recursion = "maximum recursion depth of 1000 exceeded";
  EXPECT_EQ(outcome("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"), recursion);
  EXPECT_EQ(outcome("{% macro m(f) %}{{ f(f) }}{% endmacro %}{{ m(m) }}"), recursion);
  EXPECT_EQ(outcome("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}"), recursion);
  EXPECT_EQ(outcome("{% macro m() %}{{ caller is defined }}{% call m() %}{% endcall %}{% endmacro %}{{ m() }}"),
            recursion);
}

TEST(HostileTemplate, LargeTextsAreRefusedBeforeTheyAreMade) {
  const char* bytes = "the template makes more than 8388608 bytes of text and lists";
  EXPECT_EQ(outcome("{{ 'a' * 1000000000000 }}"), bytes);
  EXPECT_EQ(outcome("{{ 'abc' * 9223372036854775807 }}"), "a repetition is too long");
  EXPECT_EQ(outcome("{{ [1] * 1000000000000 }}"), bytes);
  EXPECT_EQ(
      outcome("{% set ns = namespace(s='aaaaaaaa') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}"),
      bytes);
  EXPECT_EQ(outcome("{% set a = 'a' * 30000 %}{{ a.replace('a', a) }}"), bytes);
  EXPECT_EQ(outcome("{% set a = 'a' * 30000 %}{{ a.replace('', a) }}"), bytes);
  EXPECT_EQ(outcome("{% set a = 'a' * 30000 %}{{ a|join(a) }}"), bytes);
  EXPECT_EQ(outcome("{% set a = 'a' * 30000 %}{{ a.join(a) }}"), bytes);
  EXPECT_EQ(outcome("{% set a = 'a' * 3000000 %}{% for i in range(9) %}{{ a }}{% endfor %}"),
            "the template writes more than 1048576 bytes");
  EXPECT_EQ(outcome("{{ '%1000000000d' % 1 }}").substr(0, 7), "a width");
  EXPECT_EQ(outcome("{{ '{:1000000000}'.format(1) }}").substr(0, 7), "a width");
  EXPECT_EQ(outcome("{{ 'a'.center(1000000000) }}"), "center(): a width of 1000000000 is more than 10000");
  EXPECT_EQ(outcome("{{ 'a'|indent(1000000000) }}"), "indent(): a width of 1000000000 is more than 10000");
  EXPECT_EQ(outcome("{{ [1]|tojson(indent=1000000000) }}"), "tojson(): a width of 1000000000 is more than 10000");
  EXPECT_EQ(outcome("{{ [1]|batch(1000000000, 0)|list }}"), bytes);
  EXPECT_EQ(outcome("{{ strftime_now('%c' * 2000) }}"), "strftime_now(): the result has more than 4096 bytes");
}

TEST(HostileTemplate, ALimitNamesTheLineAndTheConstruct) {
  const auto message = [](const std::string& source) -> std::string {
    try {
      return ChatTemplate::parse(source).render({});
    } catch (const TemplateError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message("a\n{{ 'a' * 100000000 }}"),
            "chat template error — render error: the template needs more than 67108864 bytes of memory at once "
            "(--template-memory), in the operator '*' (template line 2)");
  EXPECT_NE(message("{% set a = 'a' * 30000 %}\n\n{{ a.replace('a', a) }}")
                .find(", in the call of '.replace' (template "
                      "line 3)"),
            std::string::npos);
  const auto in = [](const std::string& source) {
    const std::string text = outcome(source, small());
    return text.substr(std::min(text.size(), text.find(", in ")));
  };
  EXPECT_EQ(in("{% set a = 'a' * 30000 %}{{ a|join(a) }}"), ", in the filter 'join'");
  EXPECT_EQ(in("{% set a = 'a' * 3000000 %}{{ a ~ a ~ a }}"), ", in the operator '~'");
  EXPECT_EQ(in("{% set a = 'a' * 3000000 %}{% for i in range(9) %}{{ a }}{% endfor %}"), ", in {{ … }}");
  EXPECT_EQ(in("{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}"), ", in {% for %}");
  EXPECT_EQ(in("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"), ", in {{ … }}");
}

TEST(HostileTemplate, WhatIsHeldAtOnceIsBounded) {
  jinja::Limits limits;
  limits.max_memory = uint64_t{4} << 20;
  const std::string memory = "the template needs more than 4194304 bytes of memory at once";
  const auto held = [&](const std::string& source) { return outcome(source, limits).substr(0, memory.size()); };
  EXPECT_EQ(held("{% for i in range(400) %}{% set a = 'a' * 1000000 %}{% endfor %}ok"), "text: ok")
      << "what is dropped no longer counts";
  EXPECT_EQ(
      held("{% set ns = namespace(l=[]) %}{% for i in range(9) %}{% set ns.l = ns.l + ['a' * 1000000] %}{% endfor %}"),
      memory);
  EXPECT_EQ(held("{% set l = range(100000)|map('string')|list %}{{ l|length }}"), memory);
  EXPECT_EQ(held("{% set l = range(9000)|map('string')|list %}{{ l|length }}"), "text: 9000");
  EXPECT_EQ(held("{% for i in range(100000) %}{% macro m() %}{{ i }}{% endmacro %}{% endfor %}"), memory);
  EXPECT_EQ(
      held("{% set ns = namespace() %}{% for i in range(100000) %}{% set n = namespace(a=i, o=ns) %}{% endfor %}"),
      memory);
  EXPECT_EQ(held("{% for i in range(5) %}{{ 'a' * 1000000 }}{% endfor %}"), memory) << "the output counts";
  EXPECT_EQ(held("{% set a %}{% for i in range(5) %}{{ 'a' * 1000000 }}{% endfor %}{% endset %}"), memory);
  EXPECT_EQ(held("{{ ('ä' * 1000000)[1:2] }}"), memory) << "as code points it is four times as long";
}

TEST(HostileTemplate, DataThatGrowsByNestingIsBounded) {
  const std::string grow =
      "{{% set ns = namespace(x={0}) %}}{{% for i in range(100000) %}}{{% set ns.x = {1} %}}{{% endfor %}}";
  const char* deep = "lists and dicts are nested more than 200 deep";
  EXPECT_EQ(outcome(fmt::format(fmt::runtime(grow), "1", "[ns.x]")), deep);
  EXPECT_EQ(outcome(fmt::format(fmt::runtime(grow), "1", "{'a': ns.x}")), deep);
  EXPECT_EQ(outcome(fmt::format(fmt::runtime(grow), "1", "(ns.x,)")), deep);
  EXPECT_EQ(outcome(fmt::format(fmt::runtime(grow), "[1]", "ns.x|map('string')")), deep);
  EXPECT_EQ(outcome(fmt::format(fmt::runtime(grow), "[1]", "[ns.x.append, ns.x.count]")), deep);
  EXPECT_EQ(outcome(fmt::format(fmt::runtime(grow), "[1]", "[ns.x, ns.x]")),
            "a list or dict holds more than 10000000 values");
  EXPECT_EQ(
      outcome("{% set ns = namespace(x=1) %}{% for i in range(100000) %}{% for y in [ns.x] %}{% set ns.x = loop %}"
              "{% endfor %}{% endfor %}")
          .substr(0, 9),
      "lists and");
}

TEST(HostileTemplate, CyclesAreReleasedAndPrintable) {
  EXPECT_EQ(outcome("{% set ns = namespace() %}{% set ns.me = ns %}{% set ns.l = [ns] %}{{ ns.l }}"),
            "text: [<Namespace object>]");
  EXPECT_EQ(
      outcome("{% set st = namespace() %}{% set st.cur = namespace() %}{% for i in range(9000) %}{% set old = "
              "st.cur %}{% set fresh = namespace() %}{% set old.next = fresh %}{% set st.cur = fresh %}{% endfor %}ok"),
      "text: ok");
  EXPECT_EQ(outcome("{% macro a() %}{{ b is defined }}{% endmacro %}{% macro b() %}{% endmacro %}{{ a() }}"),
            "text: True");
}

TEST(HostileTemplate, NothingButDataIsReachable) {
  EXPECT_EQ(outcome("{{ ''.__class__.__mro__ }}"), "access to attribute '__class__' of 'str' object is unsafe.");
  EXPECT_EQ(outcome("{{ raise_exception.__globals__ }}"), "text: ");
  EXPECT_EQ(outcome("{{ raise_exception.__globals__['os'] }}").substr(0, 22), "access to attribute '_");
  EXPECT_EQ(outcome("{{ '{0.__class__.x}'.format(1) }}"), "access to attribute '__class__' of 'int' object is unsafe.");
  EXPECT_EQ(outcome("{{ self }}{{ config }}{{ request }}"), "text: ");
}

TEST(HostileTemplate, InputNestedTooDeepIsRefused) {
  ChatInputs inputs;
  inputs.tools = nlohmann::ordered_json::parse(repeated("[", 5000) + repeated("]", 5000));
  EXPECT_THROW(ChatTemplate::parse("{{ tools }}").render(inputs), TemplateError);
}

// Every prefix, and every version with one byte changed, parses and renders or fails with a TemplateError.
TEST(HostileTemplate, DamagedTemplatesFailCleanly) {
  const std::string source =
      "{%- macro m(a, b={'k': [1, 2.5]}) -%}{{ a ~ b.k[0:1]|join(',') }}{%- endmacro %}{# c #}\n"
      "{% for x in messages + [1, 'é'] if x is not none recursive %}{{ loop.index % 2 * -x|length }}"
      "{% else %}{% raw %}{{ }}{% endraw %}{% endfor %}{% set ns = namespace(a=1) %}{% set ns.a = 'x\\u0041' %}"
      "{% call m(1) %}{{ ns.a }}{% endcall %}{{ '%5.2f' % 1.5 }}{{ '{:>5}'.format('a') }}{{ x if y is defined else z "
      "}}";
  const std::string bytes = "{}%#-+'\"([])|.,:=~ \n\\\x80 0a";
  int outcomes = 0;
  for (size_t i = 0; i <= source.size(); ++i) {
    outcomes += outcome(source.substr(0, i)).empty() ? 0 : 1;
    for (const char c : bytes) {
      std::string damaged = source;
      damaged.replace(i, 1, 1, c);
      outcomes += outcome(damaged).empty() ? 0 : 1;
    }
  }
  EXPECT_EQ(outcomes, static_cast<int>((source.size() + 1) * (bytes.size() + 1)));
}

}  // namespace
}  // namespace minfer::test
