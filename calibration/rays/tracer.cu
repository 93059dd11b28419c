// Path tracer for a tray with cubes: paths of a few bounces, with the lamps sampled at every bounce.
//
// One source for a graphics card (nvcc) and for a processor (a C++ compiler with OpenMP): see build.py.
// Lengths are millimetres on the mat: x right, y towards the person, z up. Colours are linear, blue first.
// Sources: rounded box, Inigo Quilez, "Box - rounded intersection"; GGX, Walter et al. 2007; multiple
// importance sampling, Veach 1997; the R2 sequence, Martin Roberts 2018.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#ifdef __CUDACC__
#define HD __host__ __device__
#define FN __host__ __device__ __forceinline__
#else
#define HD
#define FN inline
#endif

namespace {

struct V {
  float x, y, z;
};
FN V vec(float x, float y, float z) { return V{x, y, z}; }
FN V vec(const float *p) { return V{p[0], p[1], p[2]}; }
FN V operator+(V a, V b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
FN V operator-(V a, V b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
FN V operator*(V a, V b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
FN V operator*(V a, float s) { return {a.x * s, a.y * s, a.z * s}; }
FN float dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
FN V cross(V a, V b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
FN float length(V a) { return sqrtf(dot(a, a)); }
FN V unit(V a) { return a * (1.0f / sqrtf(fmaxf(dot(a, a), 1e-20f))); }
FN float biggest(V a) { return fmaxf(a.x, fmaxf(a.y, a.z)); }
FN float clamped(float v, float low, float high) { return fminf(fmaxf(v, low), high); }

constexpr float kPi = 3.14159265f;
constexpr float kFar = 1e9f;
constexpr float kOff = 4e-3f;   // offset of a new ray's start from the surface that it leaves
constexpr float kClamp = 3.0f;  // limit on what one path adds after its first bounce
constexpr int kStack = 32;
constexpr int kDeep = 14;  // most surfaces on a path, clear ones included

// The layout of the structs is repeated in build.py and staged.py: keep the three alike.
struct Material {
  float albedo[3];
  float rough;    // 0..1; its square is the width of the reflection (alpha of GGX)
  float mirror;   // reflectance of light at normal incidence
  float grain;    // depth of fine bumps, 0..1
  float grime;    // least share of the albedo left by dirt; 1: clean
  float grime_mm; // size of its spots
  float clear;    // 1: refracts light, by `index`
  float index;
  float through[3]; // transmittance of a surface for light that goes straight through
  float spare;
};
struct Box {
  float centre[3];
  float half[3];
  float axes[9]; // rows are its axes
  float radius;
  float material;
};
struct Lamp {
  float place[3];
  float right[3], down[3]; // half its sides, as vectors; a disc's radii
  float light[3];          // emitted radiance
  float disc;
};
struct Shade {
  float corners[12];
};
struct Scene {
  int boxes, triangles, lamps, shades, nodes;
  int left, top, right, bottom; // window that is rendered
  int step;                     // of every so many pixels across and down one is rendered
  int samples, bounces, seed;
  int table_px[2], mat_px[2], room_px[2];
  float table_mm[2], mat_mm[2];
  float table_z, table_rough, mat_rough;
  float to_ray[9]; // pixel to direction
  float eye[3];
  const Box *box;
  const Lamp *lamp;
  const Shade *shade;
  const Material *material;
  const float *corner, *normal; // (N, 3) of the triangles' corners
  const int *triangle;          // (N, 4): corners, material
  const float *node_box;        // (nodes, 6)
  const int *node_at;           // (nodes, 2): left child or first primitive; number of primitives (0: inner)
  const int *thing;             // primitives: a triangle, or number of triangles + a box
  const uint8_t *table, *mat;   // square roots of albedos
  const float *room;
  float *out;
};

struct Random {
  uint32_t state;
  FN uint32_t next() {
    state = state * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
  }
  FN float one() { return (next() >> 8) * (1.0f / 16777216.0f); }
};
FN uint32_t hash_bits(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

// Draws two numbers, spread evenly over all samples of a pixel (R2), or plain random ones deep on a path.
struct Sampler {
  Random random;
  uint32_t pixel, sample, dimension;
  FN void two(float &a, float &b) {
    const uint32_t d = dimension++;
    if (d >= 6) {
      a = random.one();
      b = random.one();
      return;
    }
    const uint32_t first = hash_bits(pixel * 9781u + d * 6271u), second = hash_bits(first + 77u);
    const float s = (float)sample;
    a = first * 2.3283064e-10f + s * 0.7548776662f;
    b = second * 2.3283064e-10f + s * 0.5698402910f;
    a = fminf(a - floorf(a), 0.99999f);
    b = fminf(b - floorf(b), 0.99999f);
  }
};

FN float lattice(int x, int y, int z) {
  return (hash_bits((uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u) >> 8) * (1.0f / 16777216.0f);
}
FN float noise(V p) { // value noise: 0..1, hills of size 1
  const float fx = floorf(p.x), fy = floorf(p.y), fz = floorf(p.z);
  const int x = (int)fx, y = (int)fy, z = (int)fz;
  float u = p.x - fx, v = p.y - fy, w = p.z - fz;
  u = u * u * (3 - 2 * u);
  v = v * v * (3 - 2 * v);
  w = w * w * (3 - 2 * w);
  float out = 0;
  for (int k = 0; k < 8; ++k) {
    const int i = k & 1, j = k >> 1 & 1, l = k >> 2;
    out += (i ? u : 1 - u) * (j ? v : 1 - v) * (l ? w : 1 - w) * lattice(x + i, y + j, z + l);
  }
  return out;
}

struct Hit {
  float t;
  V normal;    // shading normal, towards the ray
  V geometric; // geometric normal, outwards
  int material;
  V albedo;
  int surface; // 0 material, 1 table, 2 mat
};

FN float rounded_box(V ro, V rd, V half, float rad, V &normal) {
  const V core = half - vec(rad, rad, rad);
  const V m = vec(1 / rd.x, 1 / rd.y, 1 / rd.z);
  const V n = m * ro;
  const V k = vec(fabsf(m.x) * half.x, fabsf(m.y) * half.y, fabsf(m.z) * half.z);
  const V t1 = vec(-n.x - k.x, -n.y - k.y, -n.z - k.z), t2 = vec(-n.x + k.x, -n.y + k.y, -n.z + k.z);
  const float near = fmaxf(t1.x, fmaxf(t1.y, t1.z)), far = fminf(t2.x, fminf(t2.y, t2.z));
  if (near > far || near < 0) return -1;
  V pos = ro + rd * near;
  const V s = vec(pos.x < 0 ? -1.f : 1.f, pos.y < 0 ? -1.f : 1.f, pos.z < 0 ? -1.f : 1.f);
  // Start near the box: otherwise the squares below would be lost in rounding errors.
  const float back = fmaxf(near - 1, 0.f);
  V o = (ro + rd * back) * s, d = rd * s;
  pos = pos * s - core;
  const V pair = vec(fmaxf(pos.x, pos.y), fmaxf(pos.y, pos.z), fmaxf(pos.z, pos.x));
  float t = near;
  if (fminf(pair.x, fminf(pair.y, pair.z)) >= 0) {
    const V oc = o - core, dd = d * d, oo = oc * oc, od = oc * d;
    const float ra2 = rad * rad;
    float best = 1e20f;
    {
      const float b = od.x + od.y + od.z, h = b * b - (oo.x + oo.y + oo.z - ra2);
      if (h > 0) best = -b - sqrtf(h);
    }
    {
      const float a = dd.y + dd.z, b = od.y + od.z, h = b * b - a * (oo.y + oo.z - ra2);
      if (h > 0) {
        const float q = (-b - sqrtf(h)) / a;
        if (q > 0 && q < best && fabsf(o.x + d.x * q) < core.x) best = q;
      }
    }
    {
      const float a = dd.z + dd.x, b = od.z + od.x, h = b * b - a * (oo.z + oo.x - ra2);
      if (h > 0) {
        const float q = (-b - sqrtf(h)) / a;
        if (q > 0 && q < best && fabsf(o.y + d.y * q) < core.y) best = q;
      }
    }
    {
      const float a = dd.x + dd.y, b = od.x + od.y, h = b * b - a * (oo.x + oo.y - ra2);
      if (h > 0) {
        const float q = (-b - sqrtf(h)) / a;
        if (q > 0 && q < best && fabsf(o.z + d.z * q) < core.z) best = q;
      }
    }
    if (best > 1e19f) return -1;
    t = back + best;
  }
  const V at = ro + rd * t;
  const V over = vec(fmaxf(fabsf(at.x) - core.x, 0.f), fmaxf(fabsf(at.y) - core.y, 0.f), fmaxf(fabsf(at.z) - core.z, 0.f));
  normal = unit(vec(at.x < 0 ? -over.x : over.x, at.y < 0 ? -over.y : over.y, at.z < 0 ? -over.z : over.z));
  return t;
}

FN bool hits_box(const float *b, V o, V inv, float most) {
  const float x1 = (b[0] - o.x) * inv.x, x2 = (b[3] - o.x) * inv.x;
  const float y1 = (b[1] - o.y) * inv.y, y2 = (b[4] - o.y) * inv.y;
  const float z1 = (b[2] - o.z) * inv.z, z2 = (b[5] - o.z) * inv.z;
  const float near = fmaxf(fmaxf(fminf(x1, x2), fminf(y1, y2)), fminf(z1, z2));
  const float far = fminf(fminf(fmaxf(x1, x2), fmaxf(y1, y2)), fmaxf(z1, z2));
  return far >= fmaxf(near, 0.f) && near < most;
}

// The nearest box or triangle; sets `t`, `which` and the normal only if one is nearer than `t`.
HD bool nearest_hit(const Scene &s, V o, V d, float &t, int &which, V &normal, float &bu, float &bv) {
  const V inv = vec(1 / d.x, 1 / d.y, 1 / d.z);
  int stack[kStack], top = 0;
  stack[top++] = 0;
  bool found = false;
  while (top) {
    const int node = stack[--top];
    if (!hits_box(s.node_box + 6 * node, o, inv, t)) continue;
    const int first = s.node_at[2 * node], number = s.node_at[2 * node + 1];
    if (!number) {
      if (top + 2 <= kStack) {
        stack[top++] = first;
        stack[top++] = first + 1;
      }
      continue;
    }
    for (int n = first; n < first + number; ++n) {
      const int thing = s.thing[n];
      if (thing >= s.triangles) {
        const Box &b = s.box[thing - s.triangles];
        const V off = o - vec(b.centre);
        const V x = vec(b.axes), y = vec(b.axes + 3), z = vec(b.axes + 6);
        V local;
        const float q = rounded_box(vec(dot(off, x), dot(off, y), dot(off, z)), vec(dot(d, x), dot(d, y), dot(d, z)),
                                    vec(b.half), b.radius, local);
        if (q > 0 && q < t) {
          t = q;
          which = thing;
          normal = x * local.x + y * local.y + z * local.z;
          found = true;
        }
        continue;
      }
      const int *c = s.triangle + 4 * thing;
      const V a = vec(s.corner + 3 * c[0]), e1 = vec(s.corner + 3 * c[1]) - a, e2 = vec(s.corner + 3 * c[2]) - a;
      const V p = cross(d, e2);
      const float det = dot(e1, p);
      if (fabsf(det) < 1e-12f) continue;
      const V away = o - a;
      const float u = dot(away, p) / det;
      if (u < 0 || u > 1) continue;
      const V q = cross(away, e1);
      const float v = dot(d, q) / det;
      if (v < 0 || u + v > 1) continue;
      const float at = dot(e2, q) / det;
      if (at > 1e-4f && at < t) {
        t = at;
        which = thing;
        bu = u;
        bv = v;
        found = true;
      }
    }
  }
  return found;
}

FN float mirror_repeat(float v) { // repeats a texture, every other time mirrored
  v = v - 2 * floorf(v * 0.5f);
  return v > 1 ? 2 - v : v;
}
FN V sample_texture(const uint8_t *t, const int *px, float u, float v) {
  const float x = clamped(u * px[0] - 0.5f, 0.f, px[0] - 1.001f), y = clamped(v * px[1] - 0.5f, 0.f, px[1] - 1.001f);
  const int i = (int)x, j = (int)y;
  const float a = x - i, b = y - j;
  V out = vec(0, 0, 0);
  for (int k = 0; k < 4; ++k) {
    const uint8_t *p = t + 3 * ((j + (k >> 1)) * px[0] + i + (k & 1));
    const float w = ((k & 1) ? a : 1 - a) * ((k >> 1) ? b : 1 - b) * (1 / 65025.0f);
    out = out + vec((float)p[0] * p[0], (float)p[1] * p[1], (float)p[2] * p[2]) * w;
  }
  return out;
}

HD bool intersect(const Scene &s, V o, V d, Hit &h) {
  float t = kFar, bu = 0, bv = 0;
  int which = -1, surface = 0;
  V normal = vec(0, 0, 1);
  if (d.z < 0) {
    float q = (s.table_z - o.z) / d.z;
    if (q > 0) {
      t = q;
      surface = 1;
    }
    q = -o.z / d.z;
    if (s.mat_px[0] && q > 0 && q < t && fabsf(o.x + d.x * q) < s.mat_mm[0] / 2 && fabsf(o.y + d.y * q) < s.mat_mm[1] / 2) {
      t = q;
      surface = 2;
    }
  }
  if (nearest_hit(s, o, d, t, which, normal, bu, bv)) surface = 0;
  if (t >= kFar) return false;
  h.t = t;
  h.surface = surface;
  const V at = o + d * t;
  if (surface == 1) {
    h.albedo = sample_texture(s.table, s.table_px, mirror_repeat(0.5f + at.x / s.table_mm[0]), mirror_repeat(0.5f + at.y / s.table_mm[1]));
    h.geometric = h.normal = vec(0, 0, 1);
    return true;
  }
  if (surface == 2) {
    h.albedo = sample_texture(s.mat, s.mat_px, 0.5f + at.x / s.mat_mm[0], 0.5f + at.y / s.mat_mm[1]);
    h.geometric = h.normal = vec(0, 0, 1);
    return true;
  }
  if (which >= s.triangles) {
    h.material = (int)s.box[which - s.triangles].material;
    h.geometric = normal;
  } else {
    const int *c = s.triangle + 4 * which;
    h.material = c[3];
    const V a = vec(s.corner + 3 * c[0]), e1 = vec(s.corner + 3 * c[1]) - a, e2 = vec(s.corner + 3 * c[2]) - a;
    const V smooth = unit(vec(s.normal + 3 * c[0]) * (1 - bu - bv) + vec(s.normal + 3 * c[1]) * bu + vec(s.normal + 3 * c[2]) * bv);
    V flat = unit(cross(e1, e2));
    if (dot(flat, smooth) < 0) flat = flat * -1.f;
    h.geometric = flat;
    normal = smooth;
  }
  h.normal = normal;
  const Material &m = s.material[h.material];
  h.albedo = vec(m.albedo);
  if (m.grime < 1) {
    const V p = at * (1 / m.grime_mm);
    const float spot = clamped((0.66f * noise(p) + 0.34f * noise(p * 2.1f) - 0.35f) / 0.4f, 0.f, 1.f);
    h.albedo = h.albedo * (1 + (m.grime - 1) * spot);
  }
  if (m.grain > 0) {
    const V p = at * (1 / 0.6f);
    const V bump = vec(noise(p), noise(p + vec(17.3f, 0, 5.1f)), noise(p + vec(0, 31.7f, 9.2f))) - vec(0.5f, 0.5f, 0.5f);
    h.normal = unit(h.normal + bump * (0.5f * m.grain));
  }
  return true;
}

// Share of a lamp's light that reaches a place: none behind opaque things, less behind clear plastic.
HD V lamp_transmittance(const Scene &s, V o, V d, float far, bool key) {
  if (key)
    for (int n = 0; n < s.shades; ++n) {
      const float *c = s.shade[n].corners;
      const V a = vec(c), e1 = vec(c + 3) - a, e2 = vec(c + 9) - a;
      const V normal = cross(e1, e2);
      const float facing = dot(normal, d);
      if (fabsf(facing) < 1e-9f) continue;
      const float t = dot(normal, a - o) / facing;
      if (t <= 0 || t >= far) continue;
      const V p = o + d * t;
      bool in = true;
      float sign = 0;
      for (int k = 0; k < 4 && in; ++k) {
        const V from = vec(c + 3 * k), to = vec(c + 3 * ((k + 1) & 3));
        const float side = dot(normal, cross(to - from, p - from));
        if (!k) sign = side;
        in = side * sign >= 0;
      }
      if (in) return vec(0, 0, 0);
    }
  V left = vec(1, 1, 1);
  for (int n = 0; n < 8; ++n) {
    float t = far, bu, bv;
    int which = -1;
    V normal;
    if (!nearest_hit(s, o, d, t, which, normal, bu, bv)) return left;
    const Material &m = s.material[which < s.triangles ? s.triangle[4 * which + 3] : (int)s.box[which - s.triangles].material];
    if (m.clear == 0) return vec(0, 0, 0);
    left = left * vec(m.through);
    o = o + d * (t + kOff);
    far -= t + kOff;
    if (far <= 0) return left;
  }
  return vec(0, 0, 0);
}

FN V room_light(const Scene &s, V d) {
  const float v = acosf(clamped(d.z, -1.f, 1.f)) / kPi, u = atan2f(d.y, d.x) / (2 * kPi) + 0.5f;
  const float x = u * s.room_px[0] - 0.5f, y = clamped(v * s.room_px[1] - 0.5f, 0.f, s.room_px[1] - 1.001f);
  const int i = (int)floorf(x), j = (int)y;
  const float a = x - i, b = y - j;
  V out = vec(0, 0, 0);
  for (int k = 0; k < 4; ++k) {
    const int column = (i + (k & 1) + s.room_px[0]) % s.room_px[0];
    out = out + vec(s.room + 3 * ((j + (k >> 1)) * s.room_px[0] + column)) * (((k & 1) ? a : 1 - a) * ((k >> 1) ? b : 1 - b));
  }
  return out;
}

FN void frame(V n, V &x, V &y) {
  x = fabsf(n.z) < 0.99f ? unit(cross(n, vec(0, 0, 1))) : unit(cross(n, vec(1, 0, 0)));
  y = cross(n, x);
}
FN float ggx(float cosine, float alpha) {
  const float a2 = alpha * alpha, d = cosine * cosine * (a2 - 1) + 1;
  return a2 / (kPi * d * d);
}
FN float smith_masking(float cosine, float alpha) {
  const float k = alpha / 2;
  return cosine / (cosine * (1 - k) + k);
}
FN float fresnel(float f0, float cosine) {
  const float m = clamped(1 - cosine, 0.f, 1.f), m2 = m * m;
  return f0 + (1 - f0) * m2 * m2 * m;
}

struct Surface {
  V normal, albedo;
  float alpha, mirror, share; // `share`: probability of sampling the reflection
};
// Reflectance from `l` to `v`, times the cosine; `odds`: the density with which `sample_brdf` draws `l`.
FN V evaluate_brdf(const Surface &s, V v, V l, float &odds) {
  const float nl = dot(s.normal, l), nv = fmaxf(dot(s.normal, v), 1e-3f);
  odds = 0;
  if (nl <= 0) return vec(0, 0, 0);
  V out = s.albedo * ((s.mirror > 0 ? 1 - fresnel(s.mirror, nl) : 1.f) * nl / kPi);
  odds = (1 - s.share) * nl / kPi;
  if (s.mirror > 0) {
    const V h = unit(v + l);
    const float nh = fmaxf(dot(s.normal, h), 0.f), vh = fmaxf(dot(v, h), 1e-3f);
    const float d = ggx(nh, s.alpha);
    const float f = fresnel(s.mirror, vh) * d * smith_masking(nl, s.alpha) * smith_masking(nv, s.alpha) / (4 * nv);
    out = out + vec(f, f, f);
    odds += s.share * d * nh / (4 * vh);
  }
  return out;
}
FN V sample_brdf(const Surface &s, V v, float which, float a, float b) {
  V x, y;
  frame(s.normal, x, y);
  const float turn = 2 * kPi * a;
  if (which < s.share) {
    const float cosine = sqrtf((1 - b) / (1 + (s.alpha * s.alpha - 1) * b)), sine = sqrtf(fmaxf(1 - cosine * cosine, 0.f));
    const V h = x * (cosf(turn) * sine) + y * (sinf(turn) * sine) + s.normal * cosine;
    return unit(h * (2 * dot(v, h)) - v);
  }
  const float sine = sqrtf(b);
  return unit(x * (cosf(turn) * sine) + y * (sinf(turn) * sine) + s.normal * sqrtf(1 - b));
}

// Distance along a ray to a lamp's bright side; -1 if the ray misses it.
FN float distance_to_lamp(const Lamp &lamp, V o, V d) {
  const V r = vec(lamp.right), w = vec(lamp.down), normal = cross(r, w), c = vec(lamp.place);
  const float facing = dot(normal, d);
  if (facing == 0 || dot(d, c) <= 0) return -1;
  const float t = dot(normal, c - o) / facing;
  const V p = o + d * t - c;
  const float x = dot(p, r) / dot(r, r), y = dot(p, w) / dot(w, w);
  return t > 0 && (lamp.disc > 0 ? x * x + y * y <= 1 : fabsf(x) <= 1 && fabsf(y) <= 1) ? t : -1.f;
}

HD V trace_path(const Scene &s, V o, V d, Sampler &draw) {
  V light = vec(0, 0, 0), left = vec(1, 1, 1);
  bool straight = true; // through nothing but clear plastic so far
  int scattered = 0;
  float odds = 0;
  for (int deep = 0; deep < kDeep; ++deep) {
    Hit h;
    const bool hit = intersect(s, o, d, h);
    if (scattered) // lamps that the ray hits, weighted against those that were sampled
      for (int n = 0; n < s.lamps; ++n) {
        const Lamp &lamp = s.lamp[n];
        const float t = distance_to_lamp(lamp, o, d);
        if (t <= 0 || (hit && t > h.t)) continue;
        const V r = vec(lamp.right), w = vec(lamp.down);
        const float facing = dot(unit(cross(r, w)), d);
        const float area = (lamp.disc > 0 ? kPi : 4.0f) * length(r) * length(w);
        const float asked = t * t / (fabsf(facing) * area);
        const float weight = odds * odds / (odds * odds + asked * asked);
        const V seen = lamp_transmittance(s, o, d, t, n == 0);
        V part = left * vec(lamp.light) * seen * weight;
        const float most = biggest(part);
        if (scattered > 1 && most > kClamp) part = part * (kClamp / most);
        light = light + part;
      }
    if (!hit) {
      V part = left * room_light(s, d);
      const float most = biggest(part);
      if (scattered && most > kClamp) part = part * (kClamp / most);
      return light + part;
    }
    const V at = o + d * h.t;
    Surface f;
    if (h.surface == 0) {
      const Material &m = s.material[h.material];
      if (m.clear > 0) {
        if (!straight) {
          left = left * vec(m.through);
          o = at + d * kOff;
          continue;
        }
        const bool entering = dot(h.geometric, d) < 0;
        V n = entering ? h.normal : h.normal * -1.f;
        V flat = entering ? h.geometric : h.geometric * -1.f;
        float a, b;
        draw.two(a, b);
        if (m.rough > 0) { // a rough surface consists of small smooth ones (microfacets)
          V x, y;
          frame(n, x, y);
          const float alpha = m.rough * m.rough, cosine = sqrtf((1 - b) / (1 + (alpha * alpha - 1) * b));
          const float sine = sqrtf(fmaxf(1 - cosine * cosine, 0.f));
          n = x * (cosf(2 * kPi * a) * sine) + y * (sinf(2 * kPi * a) * sine) + n * cosine;
        }
        const float ratio = entering ? 1 / m.index : m.index, cosine = clamped(-dot(n, d), 0.f, 1.f);
        const float k = 1 - ratio * ratio * (1 - cosine * cosine);
        float back = 1;
        if (k > 0) {
          const float bent = sqrtf(k), i = entering ? 1 : m.index, j = entering ? m.index : 1;
          const float rs = (i * cosine - j * bent) / (i * cosine + j * bent), rp = (j * cosine - i * bent) / (j * cosine + i * bent);
          back = 0.5f * (rs * rs + rp * rp);
        }
        if (entering) { // reflected lamps are always added: sampled by chance they would sparkle
          const V away = unit(d + n * (2 * cosine));
          for (int q = 0; q < s.lamps && dot(away, flat) > 0; ++q) {
            const Lamp &lamp = s.lamp[q];
            const V start = at + flat * kOff;
            const float t = distance_to_lamp(lamp, start, away);
            if (t <= 0) continue;
            V part = left * vec(lamp.light) * lamp_transmittance(s, start, away, t, q == 0) * back;
            const float most = biggest(part);
            if (most > 8 * kClamp) part = part * (8 * kClamp / most);
            light = light + part;
          }
        }
        if (draw.random.one() < back) {
          d = unit(d + n * (2 * cosine));
          if (dot(d, flat) <= 0) return light;
          o = at + flat * kOff;
        } else {
          d = unit(d * ratio + n * (ratio * cosine - sqrtf(k)));
          if (dot(d, flat) >= 0) return light;
          o = at - flat * kOff;
          left = left * vec(m.albedo);
        }
        continue;
      }
      f.mirror = m.mirror;
      f.alpha = fmaxf(m.rough * m.rough, 0.004f);
    } else {
      const float rough = h.surface == 1 ? s.table_rough : s.mat_rough;
      f.mirror = rough > 0.6f ? 0.f : 0.04f;
      f.alpha = fmaxf(rough * rough, 0.004f);
    }
    if (scattered) f.alpha = fmaxf(f.alpha, 0.06f); // less sharp in indirect light, which would sparkle
    const V v = d * -1.f;
    V n = h.normal, flat = dot(h.geometric, v) < 0 ? h.geometric * -1.f : h.geometric;
    if (dot(n, flat) < 0) n = n * -1.f;
    if (dot(n, v) < 0.02f) n = unit(n + v * (0.02f - dot(n, v)));
    f.normal = n;
    f.albedo = h.albedo;
    const float glint = fresnel(f.mirror, fmaxf(dot(n, v), 0.f));
    f.share = f.mirror > 0 ? clamped(glint / (glint + biggest(f.albedo)), 0.1f, 0.8f) : 0.f;
    const V from = at + flat * kOff;
    for (int q = 0; q < s.lamps; ++q) {
      const Lamp &lamp = s.lamp[q];
      float a, b;
      draw.two(a, b);
      const V r = vec(lamp.right), w = vec(lamp.down);
      V p;
      if (lamp.disc > 0) {
        const float away = sqrtf(a), turn = 2 * kPi * b;
        p = vec(lamp.place) + r * (away * cosf(turn)) + w * (away * sinf(turn));
      } else
        p = vec(lamp.place) + r * (2 * a - 1) + w * (2 * b - 1);
      V l = p - from;
      const float far = length(l);
      l = l * (1 / far);
      if (dot(l, flat) <= 0) continue;
      const V normal = unit(cross(r, w));
      const float facing = fabsf(dot(normal, l));
      if (dot(l, vec(lamp.place)) <= 0) continue;
      const float area = (lamp.disc > 0 ? kPi : 4.0f) * length(r) * length(w);
      const float asked = far * far / (fmaxf(facing, 1e-4f) * area);
      float other;
      const V value = evaluate_brdf(f, v, l, other);
      if (biggest(value) <= 0) continue;
      const V seen = lamp_transmittance(s, from, l, far - 2 * kOff, q == 0);
      const float weight = scattered < s.bounces ? asked * asked / (asked * asked + other * other) : 1.f;
      V part = left * value * vec(lamp.light) * seen * (weight / asked);
      const float most = biggest(part);
      if (scattered && most > kClamp) part = part * (kClamp / most);
      light = light + part;
    }
    if (scattered >= s.bounces) return light;
    float a, b;
    draw.two(a, b);
    const V l = sample_brdf(f, v, draw.random.one(), a, b);
    if (dot(l, flat) <= 0) return light;
    const V value = evaluate_brdf(f, v, l, odds);
    if (odds <= 1e-6f) return light;
    left = left * value * (1 / odds);
    if (biggest(left) < 1e-3f) return light;
    o = from;
    d = l;
    straight = false;
    ++scattered;
  }
  return light;
}

HD void render_pixel(const Scene &s, int i, int j) {
  const int columns = (s.right - s.left + s.step - 1) / s.step;
  const int index = j * columns + i;
  V sum = vec(0, 0, 0);
  for (int n = 0; n < s.samples; ++n) {
    Sampler draw;
    draw.random.state = hash_bits(hash_bits(index * 977u + s.seed) + n * 31337u);
    draw.pixel = index + s.seed * 131u;
    draw.sample = n;
    draw.dimension = 0;
    float a, b;
    draw.two(a, b);
    const float x = s.left + (i + a) * s.step - 0.5f, y = s.top + (j + b) * s.step - 0.5f;
    const float *m = s.to_ray;
    const V d = unit(vec(m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5], m[6] * x + m[7] * y + m[8]));
    const V seen = trace_path(s, vec(s.eye), d, draw);
    if (fabsf(seen.x) + fabsf(seen.y) + fabsf(seen.z) < kFar) sum = sum + seen;
  }
  float *out = s.out + 3 * index;
  out[0] = sum.x / s.samples;
  out[1] = sum.y / s.samples;
  out[2] = sum.z / s.samples;
}

// --- bounding volume hierarchy, built on the processor ---

struct Tree {
  std::vector<float> box;
  std::vector<int> at, thing;
};

void split_node(Tree &tree, const std::vector<float> &boxes, std::vector<int> &order, int node, int first, int last) {
  float low[3] = {kFar, kFar, kFar}, high[3] = {-kFar, -kFar, -kFar}, from[3] = {kFar, kFar, kFar}, to[3] = {-kFar, -kFar, -kFar};
  for (int n = first; n < last; ++n)
    for (int k = 0; k < 3; ++k) {
      const float a = boxes[6 * order[n] + k], b = boxes[6 * order[n] + 3 + k], m = (a + b) / 2;
      low[k] = std::min(low[k], a);
      high[k] = std::max(high[k], b);
      from[k] = std::min(from[k], m);
      to[k] = std::max(to[k], m);
    }
  for (int k = 0; k < 3; ++k) {
    tree.box[6 * node + k] = low[k] - 1e-3f;
    tree.box[6 * node + 3 + k] = high[k] + 1e-3f;
  }
  if (last - first <= 3) {
    tree.at[2 * node] = first;
    tree.at[2 * node + 1] = last - first;
    return;
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (to[k] - from[k] > to[axis] - from[axis]) axis = k;
  const int middle = (first + last) / 2;
  std::nth_element(order.begin() + first, order.begin() + middle, order.begin() + last, [&](int a, int b) {
    return boxes[6 * a + axis] + boxes[6 * a + 3 + axis] < boxes[6 * b + axis] + boxes[6 * b + 3 + axis];
  });
  const int child = (int)tree.at.size() / 2;
  tree.at.resize(tree.at.size() + 4);
  tree.box.resize(tree.box.size() + 12);
  tree.at[2 * node] = child;
  tree.at[2 * node + 1] = 0;
  split_node(tree, boxes, order, child, first, middle);
  split_node(tree, boxes, order, child + 1, middle, last);
}

Tree build_tree(const Scene &s) {
  std::vector<float> boxes;
  for (int n = 0; n < s.triangles; ++n)
    for (int side = 0; side < 2; ++side)
      for (int k = 0; k < 3; ++k) {
        float a = side ? -kFar : kFar;
        for (int c = 0; c < 3; ++c) {
          const float v = s.corner[3 * s.triangle[4 * n + c] + k];
          a = side ? std::max(a, v) : std::min(a, v);
        }
        boxes.push_back(a);
      }
  for (int n = 0; n < s.boxes; ++n)
    for (int side = -1; side < 2; side += 2)
      for (int k = 0; k < 3; ++k) {
        const Box &b = s.box[n];
        float reach = 0;
        for (int c = 0; c < 3; ++c) reach += std::fabs(b.axes[3 * c + k]) * b.half[c];
        boxes.push_back(b.centre[k] + side * reach);
      }
  std::vector<int> order(s.triangles + s.boxes);
  for (size_t n = 0; n < order.size(); ++n) order[n] = (int)n;
  Tree tree;
  tree.at.resize(2);
  tree.box.resize(6);
  split_node(tree, boxes, order, 0, 0, (int)order.size());
  tree.thing = order;
  return tree;
}

#ifdef __CUDACC__
__global__ void render_kernel(Scene s, int columns, int rows) {
  // A warp renders a square of pixels, whose rays are coherent.
  const int i = blockIdx.x * 8 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i < columns && j < rows) render_pixel(s, i, j);
}

struct DeviceBuffer { // memory on the card, reused from picture to picture
  void *at = nullptr;
  size_t size = 0;
};
DeviceBuffer device_buffers[16];

template <class T> bool upload(int slot, const T *&field, size_t number) {
  const size_t size = std::max<size_t>(number * sizeof(T), 16);
  if (device_buffers[slot].size < size) {
    cudaFree(device_buffers[slot].at);
    if (cudaMalloc(&device_buffers[slot].at, size * 5 / 4) != cudaSuccess) return false;
    device_buffers[slot].size = size * 5 / 4;
  }
  if (number && cudaMemcpy(device_buffers[slot].at, field, number * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess) return false;
  field = (const T *)device_buffers[slot].at;
  return true;
}
#endif

} // namespace

// Returns 0 or the card's error number. The caller owns all pointers; `out` has room for all pixels.
// (`void *`: nvcc does not export a function whose parameter has a local type.)
extern "C" int trace(const void *given) {
  Scene s = *(const Scene *)given;
  const Tree tree = build_tree(s);
  s.nodes = (int)tree.at.size() / 2;
  s.node_box = tree.box.data();
  s.node_at = tree.at.data();
  s.thing = tree.thing.data();
  const int columns = (s.right - s.left + s.step - 1) / s.step, rows = (s.bottom - s.top + s.step - 1) / s.step;
#ifdef __CUDACC__
  float *out = s.out;
  int corners = 0;
  for (int n = 0; n < 4 * s.triangles; ++n)
    if (n % 4 < 3) corners = std::max(corners, s.triangle[n] + 1);
  int materials = 0;
  for (int n = 0; n < s.triangles; ++n) materials = std::max(materials, s.triangle[4 * n + 3] + 1);
  for (int n = 0; n < s.boxes; ++n) materials = std::max(materials, (int)s.box[n].material + 1);
  const float *where = s.out;
  const bool done = upload(0, s.box, s.boxes) && upload(1, s.lamp, s.lamps) && upload(2, s.shade, s.shades) &&
                    upload(3, s.material, materials) && upload(4, s.corner, 3 * (size_t)corners) &&
                    upload(5, s.normal, 3 * (size_t)corners) && upload(6, s.triangle, 4 * (size_t)s.triangles) &&
                    upload(7, s.node_box, tree.box.size()) && upload(8, s.node_at, tree.at.size()) &&
                    upload(9, s.thing, tree.thing.size()) &&
                    upload(10, s.table, 3 * (size_t)s.table_px[0] * s.table_px[1]) &&
                    upload(11, s.mat, 3 * (size_t)s.mat_px[0] * s.mat_px[1]) &&
                    upload(12, s.room, 3 * (size_t)s.room_px[0] * s.room_px[1]) &&
                    upload(13, where, 3 * (size_t)columns * rows);
  if (!done) return (int)cudaGetLastError() + 10000;
  s.out = (float *)where;
  render_kernel<<<dim3((columns + 7) / 8, (rows + 7) / 8), dim3(8, 8)>>>(s, columns, rows);
  const cudaError_t error = cudaMemcpy(out, s.out, sizeof(float) * 3 * columns * rows, cudaMemcpyDeviceToHost);
  return (int)error;
#else
#pragma omp parallel for schedule(dynamic, 4)
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) render_pixel(s, i, j);
  return 0;
#endif
}
