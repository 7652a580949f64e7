// The kernel behind the two ptxas logs of lesson 9. `filter` is free to take registers; `filter_six` promises six blocks of 256 threads.
template <int N>
__device__ double churn(const double *x, int n, int t) {
    double r[N];
#pragma unroll
    for (int i = 0; i < N; ++i) r[i] = x[t + i * n];
    for (int it = 0; it < n; ++it) {
#pragma unroll
        for (int i = 0; i < N; ++i) r[i] = r[i] / (1.0 + r[(i + 2) % N] * r[(i + 1) % N]) + exp(-r[i]);
    }
    double s = 0.0;
#pragma unroll
    for (int i = 0; i < N; ++i) s += r[i];
    return s;
}

extern "C" __global__ void __launch_bounds__(256) filter(const double *x, double *y, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = churn<21>(x, n, t);
}

extern "C" __global__ void __launch_bounds__(256, 6) filter_six(const double *x, double *y, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[t] = churn<10>(x, n, t);
}
