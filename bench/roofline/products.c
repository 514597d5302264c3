/*
 * The products of training as plain loops, for comparison: what a compiler makes of them is what they are measured by.
 * Usage: products ROWS COLS CLASSES STRIDE ENTRIES SLOTS BUDGET_MS DATA RESULTS; ENTRIES a row, 0 for dense rows. DATA holds
 * x, columns, w, a, labels, classes of the slots, values of the slots and an order of the rows, RESULTS gets scores, dense
 * gradient, gradient, and alpha and w after one pass of block ascent from 0: all 4 bytes a number. Prints "NAME MS" a line,
 * the best of at least three repetitions.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rows, cols, classes, stride, entries, slots;
static float *x, *w, *s, *a, *u, *g, *dense_g, *norm2;
static uint32_t *column, *label, *slot_class, *order;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
}

static void *array(size_t count) {
  void *memory = calloc(count ? count : 1, 4);
  if (!memory) exit(1);
  return memory;
}

/* floats or integers, 4 bytes each, from the file of data */
static void *read_array(FILE *file, size_t count) {
  void *memory = array(count);
  if (fread(memory, 4, count, file) != count) exit(3);
  return memory;
}

/* s_i = sum over the entries of row i of x_ij w_j */
static void row_scores(int i, float *out) {
  const float *xi = x + (size_t)i * entries;
  const uint32_t *ci = column + (size_t)i * entries;
  memset(out, 0, stride * sizeof(float));
  for (int e = 0; e < entries; e++) {
    const float *wj = w + (size_t)ci[e] * stride;
    for (int c = 0; c < stride; c++) out[c] += xi[e] * wj[c];
  }
}

static void dense_row_scores(int i, float *restrict out) {
  const float *xi = x + (size_t)i * cols;
  memset(out, 0, stride * sizeof(float));
  for (int j = 0; j < cols; j++) {
    const float *wj = w + (size_t)j * stride;
    for (int c = 0; c < stride; c++) out[c] += xi[j] * wj[c];
  }
}

/* to_j += x_ij v for the entries of row i */
static void add_outer(int i, const float *restrict v, float *restrict to) {
  const int count = entries ? entries : cols;
  const float *xi = x + (size_t)i * count;
  for (int e = 0; e < count; e++) {
    float *tj = to + (size_t)(entries ? column[(size_t)i * entries + e] : (uint32_t)e) * stride;
    for (int c = 0; c < stride; c++) tj[c] += xi[e] * v[c];
  }
}

static void one_row(int i, float *out) {
  if (entries) row_scores(i, out);
  else dense_row_scores(i, out);
}

static void scores(void) {
  for (int i = 0; i < rows; i++) one_row(i, s + (size_t)i * stride);
}

static void dense_gradient(void) {
  memset(dense_g, 0, (size_t)cols * stride * sizeof(float));
  for (int i = 0; i < rows; i++) add_outer(i, a + (size_t)i * stride, dense_g);
}

static void gradient(void) {
  const int count = entries ? entries : cols;
  memset(g, 0, (size_t)cols * stride * sizeof(float));
  for (int i = 0; i < rows; i++) {
    const float *xi = x + (size_t)i * count;
    for (int e = 0; e < count; e++) {
      float *gj = g + (size_t)(entries ? column[(size_t)i * entries + e] : (uint32_t)e) * stride;
      for (int r = 0; r < slots; r++) gj[slot_class[i * slots + r]] += xi[e] * u[i * slots + r];
    }
  }
}

static int descending(const void *p, const void *q) {
  const float a = *(const float *)p, b = *(const float *)q;
  return (a < b) - (a > b);
}

/* theta with theta = (sum of the values above theta - less) / (their number + more), values descending */
static float threshold(const float *values, int count, float less, int more) {
  float sum = 0, theta = 0;
  for (int k = 0; k < count && (k == 0 || values[k] > theta); k++) {
    sum += values[k];
    theta = (sum - less) / (k + 1 + more);
  }
  return theta;
}

/*
 * The dual row that is best given all others, max hinge: b >= 0, sum of b <= 1, maximal <b, z> - h/2 (|b|^2 + (sum b)^2),
 * z_j = 1 + s_j - s_y with the row's own part taken out. change = new minus old of alpha = (sum b) e_y - b.
 */
static void solve_block(int y, float h, const float *si, float *alpha, float *change, float *sorted) {
  int count = 0;
  for (int j = 0; j < classes; j++) {
    change[j] = 1 + (si[j] - h * alpha[j]) - (si[y] - h * alpha[y]);
    if (j != y && change[j] > 0) sorted[count++] = change[j];
  }
  qsort(sorted, count, sizeof(float), descending);
  float theta = threshold(sorted, count, 0, 1);
  if (theta > h) theta = threshold(sorted, count, h, 0);
  float total = 0;
  for (int j = 0; j < classes; j++) {
    const float b = j != y && change[j] > theta ? (change[j] - theta) / h : 0;
    total += b;
    change[j] = -b;
  }
  change[y] = total;
  for (int j = 0; j < classes; j++) {
    const float fresh = change[j];
    change[j] = fresh - alpha[j];
    alpha[j] = fresh;
  }
}

/* One pass of exact block ascent at lambda = 1/n from alpha = 0, rows in random order. */
static void block_ascent(void) {
  static float *si, *change, *sorted;
  if (!si) {
    si = array(stride);
    change = array(stride);
    sorted = array(stride);
  }
  memset(w, 0, (size_t)cols * stride * sizeof(float));
  memset(a, 0, (size_t)rows * stride * sizeof(float));
  for (int k = 0; k < rows; k++) {
    const int i = order[k];
    one_row(i, si);
    solve_block(label[i], norm2[i], si, a + (size_t)i * stride, change, sorted);
    add_outer(i, change, w);
  }
}

static void measure(const char *name, void (*run)(void), double budget) {
  double best = 1e30;
  const double start = now();
  for (int turn = 0; turn < 3 || now() - start < budget; turn++) {
    const double before = now();
    run();
    const double took = now() - before;
    if (took < best) best = took;
  }
  printf("%s %.6f\n", name, best);
}

int main(int argc, char **argv) {
  if (argc != 10) return 2;
  rows = atoi(argv[1]), cols = atoi(argv[2]), classes = atoi(argv[3]), stride = atoi(argv[4]);
  entries = atoi(argv[5]), slots = atoi(argv[6]);
  const double budget = atof(argv[7]);
  const size_t per_row = entries ? entries : cols, n = rows, weights = (size_t)cols * stride;
  FILE *data = fopen(argv[8], "rb");
  if (!data) return 3;
  x = read_array(data, n * per_row);
  column = read_array(data, n * entries);
  w = read_array(data, weights);
  a = read_array(data, n * stride);
  label = read_array(data, n);
  slot_class = read_array(data, n * slots);
  u = read_array(data, n * slots);
  order = read_array(data, n);
  fclose(data);
  s = array(n * stride), g = array(weights), dense_g = array(weights), norm2 = array(n);
  for (size_t i = 0; i < n; i++)
    for (size_t e = 0; e < per_row; e++) norm2[i] += x[i * per_row + e] * x[i * per_row + e];
  measure("scores", scores, budget);
  measure("dense-gradient", dense_gradient, budget);
  measure("gradient", gradient, budget);
  measure("block-ascent", block_ascent, budget);
  FILE *results = fopen(argv[9], "wb");
  if (!results) return 3;
  fwrite(s, 4, n * stride, results);
  fwrite(dense_g, 4, weights, results);
  fwrite(g, 4, weights, results);
  fwrite(a, 4, n * stride, results);
  fwrite(w, 4, weights, results);
  return fclose(results) ? 3 : 0;
}
