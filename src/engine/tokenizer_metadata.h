// Reads the tokenizer.ggml.* keys of a file into the plain form that the text layer builds a tokenizer from.
#pragma once

#include "gguf/metadata.h"
#include "text/tokenizer/tokenizer_spec.h"

namespace minfer {

// The views in the result point into the file. Throws kBadFile for a key of the wrong type, kNotFound when the file has
// no tokens at all.
TokenizerSpec read_tokenizer_spec(const GgufMetadata& metadata);

}  // namespace minfer
