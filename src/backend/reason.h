// Why a device takes a node or leaves it: kept for every device asked, printed by `minfer explain`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace minfer {

enum class Reason : uint8_t {
  kTakes,         // it runs the node
  kOp,            // it has no kernel for the op
  kType,          // it has no kernel for an element type
  kShape,         // it cannot run this shape
  kFence,         // --backend keeps it out
  kOffloadPlan,   // the block lies outside the offloaded ones
  kMemory,        // it has not the room
  kNotAvailable,  // the device is absent or disabled
  kWeight,        // the node's weight is not registered there
  kKvElsewhere,   // the layer's key/value blocks lie on another device
};

// "takes", "op", "type", …: the code in JSON.
std::string_view reason_code(Reason reason);

// A device's answer to "can you run this node?".
struct Support {
  Reason reason = Reason::kTakes;
  std::string detail;  // "no kernel for IQ2_XS weights"; empty when it takes the node

  bool takes() const { return reason == Reason::kTakes; }
};

}  // namespace minfer
