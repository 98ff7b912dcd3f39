// A sequence that lives as long as the object.
#pragma once

#include "engine/engine.h"

namespace minfer {

// The engine must outlive it.
class OwnSequence {
 public:
  explicit OwnSequence(Engine& engine) : engine_(engine), id_(engine.create_sequence()) {}
  ~OwnSequence() { engine_.release(id_); }
  OwnSequence(const OwnSequence&) = delete;
  OwnSequence& operator=(const OwnSequence&) = delete;

  SequenceId id() const { return id_; }

 private:
  Engine& engine_;
  SequenceId id_;
};

}  // namespace minfer
