// A struct by value, one through a pointer, padding between.
//! kernel structs
//! global 16
//! arg value int4 3, 0, 7, 0
//! arg buffer int 64 fill(i) expect(i % 4 == 3 ? (i - 3) * 3 + (i - 1) * 7 + i - 2 : i)
typedef struct {
  int scale;
  long bias;
} Factors;
typedef struct {
  int a;
  char b;
  int c, result;
} Row;
kernel void structs(Factors factors, global Row *rows) {
  global Row *row = rows + get_global_id(0);
  row->result = row->a * factors.scale + row->c * (int)factors.bias + row->b;
}
