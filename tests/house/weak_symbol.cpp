// What check_isa_objects.cmake must refuse: an inline function that is not inlined.
namespace minfer::house {

[[gnu::noinline]] inline int weak_symbol(int x) {
  return x + 1;
}

int call_it(int x);

int call_it(int x) {
  return weak_symbol(x);
}

}  // namespace minfer::house
