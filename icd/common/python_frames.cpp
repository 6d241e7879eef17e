// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the Python interpreter of the process, if there is one, by functions of its stable interface that are looked for
// by name: we are built without its headers and work with any version from 3.9 on.
#include "icd/common/python_frames.h"

#include <dlfcn.h>

namespace us::icd {
namespace {

constexpr size_t kMostFrames = 12;

struct Object;
struct ThreadState;

struct Python {
  int (*isInitialized)();
  int (*holdsLock)();
  ThreadState *(*stateOfThread)(); ///< of this one, whether or not it holds the lock
  ThreadState *(*currentState)();  ///< of who holds it
  Object *(*errorOccurred)();
  void (*clearError)();
  Object *(*currentFrame)(); ///< borrowed
  Object *(*frameBack)(Object *);
  Object *(*frameCode)(Object *);
  int (*frameLine)(Object *);
  Object *(*attribute)(Object *, const char *);
  const char *(*text)(Object *);
  void (*retain)(Object *);
  void (*release)(Object *);

  bool isThere() const {
    return isInitialized && holdsLock && stateOfThread && currentState && errorOccurred && clearError && currentFrame &&
           frameBack && frameCode && frameLine && attribute && text && retain && release;
  }
};

template <class Function> void find(Function &into, const char *name, const char *otherName = nullptr) {
  void *found = dlsym(RTLD_DEFAULT, name);
  if (!found && otherName) found = dlsym(RTLD_DEFAULT, otherName);
  into = reinterpret_cast<Function>(found);
}

Python lookFor() {
  Python python{};
  find(python.isInitialized, "Py_IsInitialized");
  if (!python.isInitialized) return python;
  find(python.holdsLock, "PyGILState_Check");
  find(python.stateOfThread, "PyGILState_GetThisThreadState");
  find(python.currentState, "PyThreadState_GetUnchecked", "_PyThreadState_UncheckedGet");
  find(python.errorOccurred, "PyErr_Occurred");
  find(python.clearError, "PyErr_Clear");
  find(python.currentFrame, "PyEval_GetFrame");
  find(python.frameBack, "PyFrame_GetBack");
  find(python.frameCode, "PyFrame_GetCode");
  find(python.frameLine, "PyFrame_GetLineNumber");
  find(python.attribute, "PyObject_GetAttrString");
  find(python.text, "PyUnicode_AsUTF8");
  find(python.retain, "Py_IncRef");
  find(python.release, "Py_DecRef");
  return python;
}

class Asked {
public:
  explicit Asked(const Python &python) : python_(python) {}

  std::vector<ScriptLine> frames() const {
    std::vector<ScriptLine> lines;
    Object *frame = python_.currentFrame();
    if (frame) python_.retain(frame);
    while (frame) {
      if (lines.size() < kMostFrames) lines.push_back(lineOf(frame));
      Object *const back = python_.frameBack(frame);
      python_.release(frame);
      frame = back;
    }
    return lines;
  }

private:
  ScriptLine lineOf(Object *frame) const {
    ScriptLine line;
    const int number = python_.frameLine(frame);
    if (number > 0) line.line = uint32_t(number);
    Object *const code = python_.frameCode(frame);
    line.file = textOf(code, "co_filename");
    line.function = textOf(code, "co_name");
    if (code) python_.release(code);
    return line;
  }
  std::string textOf(Object *object, const char *attribute) const {
    Object *const value = object ? python_.attribute(object, attribute) : nullptr;
    const char *const text = value ? python_.text(value) : nullptr;
    std::string copy = text ? text : "";
    if (!text) python_.clearError(); // there was none before
    if (value) python_.release(value);
    return copy;
  }

  const Python &python_;
};

} // namespace

std::vector<ScriptLine> pythonFrames() {
  // An interpreter does not come into a process after its first call of ours, but for programs that embed one.
  static const Python &python = *new Python(lookFor());
  if (!python.isThere() || !python.isInitialized()) return {};
  // Where there are several interpreters the first question is answered with yes, whoever asks.
  ThreadState *const own = python.stateOfThread();
  if (!own || python.currentState() != own || !python.holdsLock()) return {};
  // What goes wrong on the way must not be taken for what has gone wrong before.
  if (python.errorOccurred()) return {};
  return Asked(python).frames();
}

} // namespace us::icd
