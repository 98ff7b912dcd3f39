// minfer info: what a model file holds.
#include "apps/minfer/command.h"
#include "apps/minfer/exit_codes.h"
#include "apps/minfer/model_path.h"
#include "apps/minfer/output.h"
#include "gguf/describe.h"

namespace minfer::app {

int cmd_info(const Invocation& call) {
  const ModelAndWords model = take_model(call);
  refuse_words(call, model.words);
  const GgufModel file = GgufModel::open(model.path);
  DescribeOptions options;
  options.tensors = call.settings.boolean(SettingId::kTensors);
  std::string text =
      call.settings.boolean(SettingId::kJson) ? describe_json(file, options) : describe_text(file, options);
  if (!text.ends_with('\n')) text += '\n';
  write_output(text);
  return kSuccess;
}

}  // namespace minfer::app
