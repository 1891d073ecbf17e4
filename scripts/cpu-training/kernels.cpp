// What a step of an LFM2 does besides matrix products, for one core with AVX-512 and bfloat16. Rows stand end to end without
// padding; `starts` has where each begins. Sums are in 32 bits. Widths are multiples of LANES, which train.py sees to.
#include <immintrin.h>
#include <torch/extension.h>

#include <algorithm>
#include <cmath>
#include <vector>

using at::Tensor;
using Half = at::BFloat16;
using Starts = std::vector<int64_t>;
typedef float Lanes __attribute__((vector_size(64), aligned(4)));

constexpr int LANES = 16;
/** Rows of the scores that are computed together. */
constexpr int BLOCK = 8;
/** Tokens of the longest row, a multiple of LANES, and a block more. */
constexpr int LONGEST = 368;
constexpr float EPSILON = 1e-5f;

static inline Lanes all(float x) { return (Lanes)_mm512_set1_ps(x); }
static inline Lanes load(const Half* p) {
  const __m256i bits = _mm256_loadu_si256((const __m256i*)p);
  return (Lanes)_mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}
static inline Lanes load(const float* p) { return *(const Lanes*)p; }
static inline void store(Half* p, Lanes x) {
  _mm256_storeu_si256((__m256i*)p, (__m256i)_mm512_cvtneps_pbh((__m512)x));
}
static inline void store(float* p, Lanes x) { *(Lanes*)p = x; }
static inline float sum(Lanes x) { return _mm512_reduce_add_ps((__m512)x); }

/** e^x to some seven digits: x = n ln 2 + r, and a polynomial of degree 5 in r. */
static inline Lanes exponential(Lanes given) {
  const __m512 x = _mm512_min_ps(_mm512_max_ps((__m512)given, _mm512_set1_ps(-87)), _mm512_set1_ps(88));
  const __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), 0);
  __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693359375f), x);
  r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-2.12194440e-4f), r);
  __m512 p = _mm512_set1_ps(8.3333e-3f);
  for (float c : {4.16666e-2f, 1.6666667e-1f, 0.5f, 1.f, 1.f}) p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(c));
  return (Lanes)_mm512_scalef_ps(p, n);
}

/** One head of one row: what attention reads, and the gradients that it sums. D numbers a token, padded to whole lanes. */
template <int D>
struct Head {
  static constexpr int WIDTH = (D + LANES - 1) / LANES * LANES, VECTORS = WIDTH / LANES;
  using Rows = float[LONGEST][WIDTH];
  using Columns = float[WIDTH][LONGEST];
  alignas(64) Rows q, k, v, out, dOut, dq, dk, dv;
  alignas(64) Columns kT, vT;
  alignas(64) float scores[BLOCK][LONGEST], slopes[BLOCK][LONGEST];
  float qNorm[LONGEST], kNorm[LONGEST];
};

/** Weights of the norms of queries and keys, and the turns of rotary positions [longest row, D / 2]. */
struct Positions {
  const float *qWeight, *kWeight, *cos, *sin;
};

/** RMS norm over the head, then rotary positions (halves, as Hugging Face has them). @return 1 / rms */
template <int D>
static float normAndTurn(const Half* x, const float* weight, const float* cos, const float* sin, float scale, float* out) {
  float t[D], squares = 0;
  for (int d = 0; d < D; d++) {
    t[d] = (float)x[d];
    squares += t[d] * t[d];
  }
  const float norm = 1 / std::sqrt(squares / D + EPSILON);
  for (int d = 0; d < D; d++) t[d] *= norm * weight[d];
  for (int d = 0; d < D / 2; d++) {
    out[d] = (t[d] * cos[d] - t[d + D / 2] * sin[d]) * scale;
    out[d + D / 2] = (t[d + D / 2] * cos[d] + t[d] * sin[d]) * scale;
  }
  return norm;
}

template <int D>
static void normAndTurnGradient(const Half* x, const float* weight, const float* cos, const float* sin, float scale, float norm,
                                const float* g, Half* dx, float* dWeight) {
  float t[D], turned[D], dot = 0;
  for (int d = 0; d < D / 2; d++) {
    turned[d] = (g[d] * cos[d] + g[d + D / 2] * sin[d]) * scale;
    turned[d + D / 2] = (g[d + D / 2] * cos[d] - g[d] * sin[d]) * scale;
  }
  for (int d = 0; d < D; d++) {
    t[d] = (float)x[d] * norm;
    dWeight[d] += turned[d] * t[d];
    turned[d] *= weight[d];
    dot += turned[d] * t[d] / D;
  }
  for (int d = 0; d < D; d++) dx[d] = (Half)(norm * (turned[d] - dot * t[d]));
}

/** @param qkv [T, 3 * width] @param head its number */
template <int D>
static void prepare(Head<D>& h, const Half* qkv, int width, int head, int T, const Positions& at) {
  const int padded = (T + LANES - 1) / LANES * LANES;
  for (int t = 0; t < padded; t++) {
    const Half* row = qkv + (size_t)t * 3 * width + head * D;
    const float *cos = at.cos + t * (D / 2), *sin = at.sin + t * (D / 2);
    if (t < T) {
      h.qNorm[t] = normAndTurn<D>(row, at.qWeight, cos, sin, 1 / std::sqrt((float)D), h.q[t]);
      h.kNorm[t] = normAndTurn<D>(row + width, at.kWeight, cos, sin, 1, h.k[t]);
      for (int d = 0; d < D; d++) h.v[t][d] = (float)row[2 * width + d];
    }
    for (int d = t < T ? D : 0; d < h.WIDTH; d++) h.q[t][d] = h.k[t][d] = h.v[t][d] = 0;
    for (int d = 0; d < h.WIDTH; d++) h.kT[d][t] = h.k[t][d];
  }
}

/** out[i, j] = a[first + i] . b[j], of b transposed, for j below `columns` */
template <int D>
static void dots(const typename Head<D>::Rows& a, const typename Head<D>::Columns& bT, int first, int columns,
                 float (*out)[LONGEST]) {
  for (int j = 0; j < columns; j += 2 * LANES) {
    const bool two = j + 2 * LANES <= columns;
    Lanes left[BLOCK] = {}, right[BLOCK] = {};
    for (int d = 0; d < D; d++) {
      const Lanes b0 = load(&bT[d][j]), b1 = two ? load(&bT[d][j + LANES]) : b0;
#pragma GCC unroll 8
      for (int i = 0; i < BLOCK; i++) {
        const Lanes x = all(a[first + i][d]);
        left[i] += x * b0;
        right[i] += x * b1;
      }
    }
    for (int i = 0; i < BLOCK; i++) {
      store(&out[i][j], left[i]);
      if (two) store(&out[i][j + LANES], right[i]);
    }
  }
}

/** out[first + i] = sum over j of s[i, j] b[j] */
template <int D>
static void weighted(const float (*s)[LONGEST], const typename Head<D>::Rows& b, int first, int columns,
                     typename Head<D>::Rows& out) {
  constexpr int V = Head<D>::VECTORS;
  Lanes sums[BLOCK][V] = {};
  for (int j = 0; j < columns; j++)
#pragma GCC unroll 8
    for (int i = 0; i < BLOCK; i++)
#pragma GCC unroll 4
      for (int v = 0; v < V; v++) sums[i][v] += all(s[i][j]) * load(&b[j][v * LANES]);
  for (int i = 0; i < BLOCK; i++)
    for (int v = 0; v < V; v++) store(&out[first + i][v * LANES], sums[i][v]);
}

/** out[j] += sum over i of s[i, j] a[first + i] */
template <int D>
static void spread(const float (*s)[LONGEST], const typename Head<D>::Rows& a, int first, int columns,
                   typename Head<D>::Rows& out) {
  constexpr int V = Head<D>::VECTORS;
  for (int j = 0; j < columns; j++)
#pragma GCC unroll 4
    for (int v = 0; v < V; v++) {
      Lanes x = load(&out[j][v * LANES]);
#pragma GCC unroll 8
      for (int i = 0; i < BLOCK; i++) x += all(s[i][j]) * load(&a[first + i][v * LANES]);
      store(&out[j][v * LANES], x);
    }
}

/** Columns that a block of rows sees, in whole lanes. */
static inline int columnsOf(int first, int T) {
  return std::min((first + BLOCK + LANES - 1) / LANES * LANES, (T + LANES - 1) / LANES * LANES);
}

template <int D>
static void attend(const Half* qkv, int width, int heads, int T, const Positions& at, Half* out, float* logSums) {
  static Head<D> h;
  for (int head = 0; head < heads; head++) {
    prepare<D>(h, qkv, width, head, T, at);
    for (int first = 0; first < T; first += BLOCK) {
      const int columns = columnsOf(first, T);
      dots<D>(h.q, h.kT, first, columns, h.scores);
      float inverse[BLOCK];
      for (int i = 0; i < BLOCK; i++) {
        float* s = h.scores[i];
        const int seen = std::min(first + i, T - 1) + 1;
        const float most = *std::max_element(s, s + seen);
        for (int j = 0; j < columns; j += LANES) store(s + j, exponential(load(s + j) - all(most)));
        std::fill(s + seen, s + columns, 0.f);
        float total = 0;
        for (int j = 0; j < seen; j++) total += s[j];
        inverse[i] = 1 / total;
        if (first + i < T) logSums[(size_t)(first + i) * heads + head] = most + std::log(total);
      }
      weighted<D>(h.scores, h.v, first, columns, h.out);
      for (int i = 0; i < BLOCK && first + i < T; i++)
        for (int d = 0; d < D; d++) out[(size_t)(first + i) * width + head * D + d] = (Half)(h.out[first + i][d] * inverse[i]);
    }
  }
}

/** Probabilities are computed anew from the log sums (Dao et al. 2022), so that none are stored. */
template <int D>
static void attendGradient(const Half* qkv, int width, int heads, int T, const Positions& at, const Half* out,
                           const float* logSums, const Half* dOut, Half* dQkv, float* dqWeight, float* dkWeight) {
  static Head<D> h;
  const int padded = (T + LANES - 1) / LANES * LANES;
  for (int head = 0; head < heads; head++) {
    prepare<D>(h, qkv, width, head, T, at);
    float shares[LONGEST];
    for (int t = 0; t < padded; t++) {
      shares[t] = 0;
      for (int d = 0; d < h.WIDTH; d++) {
        const size_t place = (size_t)t * width + head * D + d;
        h.dOut[t][d] = t < T && d < D ? (float)dOut[place] : 0;
        if (t < T && d < D) shares[t] += h.dOut[t][d] * (float)out[place];
        h.vT[d][t] = h.v[t][d];
        h.dk[t][d] = h.dv[t][d] = 0;
      }
    }
    for (int first = 0; first < T; first += BLOCK) {
      const int columns = columnsOf(first, T);
      dots<D>(h.q, h.kT, first, columns, h.scores);
      dots<D>(h.dOut, h.vT, first, columns, h.slopes);
      for (int i = 0; i < BLOCK; i++) {
        const int last = first + i < T ? first + i : -1;
        const Lanes logSum = all(last < 0 ? 0 : logSums[(size_t)last * heads + head]), share = all(last < 0 ? 0 : shares[last]);
        for (int j = 0; j < columns; j += LANES) {
          Lanes p = exponential(load(&h.scores[i][j]) - logSum);
          if (j + LANES - 1 > last) {
            const __mmask16 seen = last < j ? 0 : (__mmask16)((1u << (last - j + 1)) - 1);
            p = (Lanes)_mm512_maskz_mov_ps(seen, (__m512)p);
          }
          store(&h.scores[i][j], p);
          store(&h.slopes[i][j], p * (load(&h.slopes[i][j]) - share));
        }
      }
      weighted<D>(h.slopes, h.k, first, columns, h.dq);
      spread<D>(h.slopes, h.q, first, columns, h.dk);
      spread<D>(h.scores, h.dOut, first, columns, h.dv);
    }
    for (int t = 0; t < T; t++) {
      const Half* row = qkv + (size_t)t * 3 * width + head * D;
      Half* d = dQkv + (size_t)t * 3 * width + head * D;
      const float *cos = at.cos + t * (D / 2), *sin = at.sin + t * (D / 2);
      normAndTurnGradient<D>(row, at.qWeight, cos, sin, 1 / std::sqrt((float)D), h.qNorm[t], h.dq[t], d, dqWeight);
      normAndTurnGradient<D>(row + width, at.kWeight, cos, sin, 1, h.kNorm[t], h.dk[t], d + width, dkWeight);
      for (int i = 0; i < D; i++) d[2 * width + i] = (Half)h.dv[t][i];
    }
  }
}

/** Calls f with the width of a head as a constant. */
template <typename F>
static void withHeadOf(int width, F f) {
  switch (width) {
    case 24: return f(std::integral_constant<int, 24>());
    case 32: return f(std::integral_constant<int, 32>());
    case 48: return f(std::integral_constant<int, 48>());
    case 64: return f(std::integral_constant<int, 64>());
    default: TORCH_CHECK(false, "heads of ", width, ": this script has 24, 32, 48 and 64");
  }
}

/** Causal attention within each row. @param qkv [N, 3 * width] @return the output [N, width] and the log sums [N, heads] */
std::vector<Tensor> attention(Tensor qkv, Tensor qWeight, Tensor kWeight, Tensor cos, Tensor sin, Starts starts, int64_t heads) {
  const int width = qkv.size(1) / 3;
  Tensor out = at::empty({qkv.size(0), width}, qkv.options()), logSums = at::empty({qkv.size(0), heads}, qWeight.options());
  const Positions at{qWeight.data_ptr<float>(), kWeight.data_ptr<float>(), cos.data_ptr<float>(), sin.data_ptr<float>()};
  for (size_t row = 0; row + 1 < starts.size(); row++) {
    const int64_t first = starts[row], T = starts[row + 1] - first;
    TORCH_CHECK(T <= LONGEST - LANES, "a row of ", T, " tokens is too long");
    withHeadOf(width / heads, [&](auto D) {
      attend<D>(qkv.data_ptr<Half>() + first * 3 * width, width, heads, T, at, out.data_ptr<Half>() + first * width,
                logSums.data_ptr<float>() + first * heads);
    });
  }
  return {out, logSums};
}

/** @return gradients of qkv and of both norms' weights */
std::vector<Tensor> attentionGradient(Tensor qkv, Tensor qWeight, Tensor kWeight, Tensor cos, Tensor sin, Tensor out,
                                      Tensor logSums, Tensor dOut, Starts starts, int64_t heads) {
  const int width = qkv.size(1) / 3;
  Tensor dQkv = at::empty_like(qkv), dq = at::zeros_like(qWeight), dk = at::zeros_like(kWeight);
  dOut = dOut.contiguous();
  const Positions at{qWeight.data_ptr<float>(), kWeight.data_ptr<float>(), cos.data_ptr<float>(), sin.data_ptr<float>()};
  for (size_t row = 0; row + 1 < starts.size(); row++) {
    const int64_t first = starts[row], T = starts[row + 1] - first;
    withHeadOf(width / heads, [&](auto D) {
      attendGradient<D>(qkv.data_ptr<Half>() + first * 3 * width, width, heads, T, at, out.data_ptr<Half>() + first * width,
                        logSums.data_ptr<float>() + first * heads, dOut.data_ptr<Half>() + first * width,
                        dQkv.data_ptr<Half>() + first * 3 * width, dq.data_ptr<float>(), dk.data_ptr<float>());
    });
  }
  return {dQkv, dq, dk};
}

/** The stream with what a layer adds, and its RMS norm. @return the sum [N, width] in 32 bits, the norm in 16, 1 / rms */
std::vector<Tensor> addNorm(Tensor x, c10::optional<Tensor> added, Tensor weight) {
  const int N = x.size(0), width = x.size(1);
  Tensor total = added ? at::empty_like(x) : x, y = at::empty({N, width}, x.options().dtype(at::kBFloat16));
  Tensor norms = at::empty({N}, x.options());
  for (int n = 0; n < N; n++) {
    const float *in = x.data_ptr<float>() + (size_t)n * width, *w = weight.data_ptr<float>();
    const Half* add = added ? added->data_ptr<Half>() + (size_t)n * width : nullptr;
    float* out = total.data_ptr<float>() + (size_t)n * width;
    Lanes squares = all(0);
    for (int c = 0; c < width; c += LANES) {
      const Lanes t = add ? load(in + c) + load(add + c) : load(in + c);
      if (add) store(out + c, t);
      squares += t * t;
    }
    const float norm = norms.data_ptr<float>()[n] = 1 / std::sqrt(sum(squares) / width + EPSILON);
    for (int c = 0; c < width; c += LANES)
      store(y.data_ptr<Half>() + (size_t)n * width + c, load(out + c) * all(norm) * load(w + c));
  }
  return {total, y, norms};
}

/** @param dTotal of the stream behind it @return gradients of the stream (32 bits), of what was added (16), of the weight */
std::vector<Tensor> addNormGradient(Tensor total, Tensor weight, Tensor norms, Tensor dTotal, Tensor dy) {
  const int N = total.size(0), width = total.size(1);
  Tensor dx = at::empty_like(total), dAdded = at::empty({N, width}, dy.options()), dWeight = at::zeros_like(weight);
  dy = dy.contiguous();
  dTotal = dTotal.contiguous();
  for (int n = 0; n < N; n++) {
    const size_t place = (size_t)n * width;
    const float *t = total.data_ptr<float>() + place, *behind = dTotal.data_ptr<float>() + place, *w = weight.data_ptr<float>();
    const Half* g = dy.data_ptr<Half>() + place;
    const Lanes norm = all(norms.data_ptr<float>()[n]);
    Lanes dot = all(0);
    for (int c = 0; c < width; c += LANES) {
      const Lanes unit = load(t + c) * norm, slope = load(g + c);
      float* dw = dWeight.data_ptr<float>() + c;
      store(dw, load(dw) + slope * unit);
      dot += slope * load(w + c) * unit;
    }
    const Lanes mean = all(sum(dot) / width);
    for (int c = 0; c < width; c += LANES) {
      const Lanes d = norm * (load(g + c) * load(w + c) - mean * load(t + c) * norm) + load(behind + c);
      store(dx.data_ptr<float>() + place + c, d);
      store(dAdded.data_ptr<Half>() + place + c, d);
    }
  }
  return {dx, dAdded, dWeight};
}

/** silu(gate) * up. @param both [N, 2 * width], gates first */
Tensor gated(Tensor both) {
  const int N = both.size(0), width = both.size(1) / 2;
  Tensor y = at::empty({N, width}, both.options());
  for (int n = 0; n < N; n++)
    for (int c = 0; c < width; c += LANES) {
      const Half* x = both.data_ptr<Half>() + (size_t)n * 2 * width + c;
      const Lanes gate = load(x), up = load(x + width);
      store(y.data_ptr<Half>() + (size_t)n * width + c, gate * up / (all(1) + exponential(-gate)));
    }
  return y;
}

Tensor gatedGradient(Tensor both, Tensor dy) {
  const int N = both.size(0), width = both.size(1) / 2;
  Tensor d = at::empty_like(both);
  dy = dy.contiguous();
  for (int n = 0; n < N; n++)
    for (int c = 0; c < width; c += LANES) {
      const size_t place = (size_t)n * 2 * width + c;
      const Half* x = both.data_ptr<Half>() + place;
      const Lanes gate = load(x), up = load(x + width), g = load(dy.data_ptr<Half>() + (size_t)n * width + c);
      const Lanes sigmoid = all(1) / (all(1) + exponential(-gate));
      store(d.data_ptr<Half>() + place, g * up * sigmoid * (all(1) + gate * (all(1) - sigmoid)));
      store(d.data_ptr<Half>() + place + width, g * gate * sigmoid);
    }
  return d;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("attention", &attention);
  m.def("attention_gradient", &attentionGradient);
  m.def("add_norm", &addNorm);
  m.def("add_norm_gradient", &addNormGradient);
  m.def("gated", &gated);
  m.def("gated_gradient", &gatedGradient);
}
