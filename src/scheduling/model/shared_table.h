#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace kueue::scheduling {

// A table of rows by number that can be copied cheaply: copies share their rows in chunks, and a
// chunk is copied when its owner writes to it for the first time after a copy was made. Copies may
// be read on other threads while the owner goes on writing.
template <class Row>
class SharedTable {
 public:
  static constexpr uint32_t kRows = 128;  // a chunk

  uint32_t Add(Row row) {
    const uint32_t at = free_.empty() ? size_++ : free_.back();
    if (!free_.empty()) free_.pop_back();
    Write(at) = std::move(row);
    return at;
  }
  void Set(uint32_t at, Row row) { Write(at) = std::move(row); }
  // The row is empty from now on; its number may be handed out again.
  void Remove(uint32_t at) {
    Write(at) = Row();
    free_.push_back(at);
  }
  // For everybody who only reads. The table itself counts as written to.
  class Copy {
   public:
    template <class Visit>
    void ForEach(Visit&& visit) const {
      for (uint32_t at = 0; at < size_; ++at) visit((*chunks_[at / kRows])[at % kRows]);
    }

   private:
    friend class SharedTable;
    std::vector<std::shared_ptr<const std::array<Row, kRows>>> chunks_;
    uint32_t size_ = 0;
  };
  Copy Share() {
    Copy copy;
    copy.size_ = size_;
    copy.chunks_.assign(chunks_.begin(), chunks_.end());
    owned_.assign(chunks_.size(), false);
    return copy;
  }

 private:
  using Chunk = std::array<Row, kRows>;
  Row& Write(uint32_t at) {
    const uint32_t chunk = at / kRows;
    if (chunk == chunks_.size()) {
      chunks_.push_back(std::make_shared<Chunk>());
      owned_.push_back(true);
    } else if (!owned_[chunk]) {
      chunks_[chunk] = std::make_shared<Chunk>(*chunks_[chunk]);
      owned_[chunk] = true;
    }
    return (*chunks_[chunk])[at % kRows];
  }

  std::vector<std::shared_ptr<Chunk>> chunks_;
  std::vector<bool> owned_;  // by chunk: no copy shares it
  std::vector<uint32_t> free_;
  uint32_t size_ = 0;
};

}  // namespace kueue::scheduling
