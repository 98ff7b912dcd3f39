// Counters of the copies between splits. They belong to one engine, never to the process.
#pragma once

#include <cstdint>

namespace minfer {

struct CopyStats {
  int64_t copies = 0;                // phase A, once per transfer
  int64_t waits = 0;                 // phase B, once per copy
  int64_t deferred_waits = 0;        // … issued at the consumer's first read or by the final drain
  int64_t blocking_host_copies = 0;  // synchronous round trips through the host
  int64_t async_host_copies = 0;     // transfers from a device to the host that were only enqueued
  int64_t event_syncs = 0;           // times the host blocked on a device's event
  int64_t stream_waits = 0;          // times a device's stream waits for another's event, without the host

  bool operator==(const CopyStats&) const = default;
};

}  // namespace minfer
