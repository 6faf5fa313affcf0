// An FST of a Verilated model. One file of a program may include this header, and the program is
// linked with --wrap=fclose.
#ifndef PMUV3_FST_H
#define PMUV3_FST_H

#include <verilated_fst_c.h>

#include <cstdint>
#include <cstdio>
#include <memory>

// The writer of FSTs looks at no error, but it closes every file that it wrote. The linker has that
// done here, so that a file that lacks something is seen.
static unsigned num_lost = 0;

extern "C" int __real_fclose(FILE *file);
extern "C" int __wrap_fclose(FILE *file) {
  const bool is_written = std::ferror(file) == 0;
  const int status = __real_fclose(file);
  num_lost += !is_written || status != 0;
  return status;
}

namespace pmuv3 {

// Dumped after each evaluation while it is open. An evaluation is half a clock. Every file has a
// writer of its own: one that could not open its file is of no use for another.
class Fst {
 public:
  template <class Model>
  bool Open(Model *model, const char *file) {
    if (fst_) return false;
    fst_ = std::make_unique<VerilatedFstC>();
    model->trace(fst_.get(), 99);
    lost_before_ = num_lost;
    fst_->open(file);
    if (fst_->isOpen() && num_lost == lost_before_) return true;
    fst_.reset();
    return false;
  }
  bool End() {
    if (!fst_) return false;
    fst_.reset();
    return num_lost == lost_before_;
  }
  void Dump() {
    if (fst_) fst_->dump(time_++);
  }

 private:
  std::unique_ptr<VerilatedFstC> fst_;
  uint64_t time_ = 0;
  unsigned lost_before_ = 0;
};

}  // namespace pmuv3

#endif
