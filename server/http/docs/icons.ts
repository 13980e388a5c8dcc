/**
 * The icon of the service: a speech bubble with a chart, which is recognisable also at 16 pixels. Browsers take the SVG; the pictures in
 * PNG are the same, for browsers and phones that do not.
 */

export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>.b{fill:#2350c9}.l{stroke:#fff}@media (prefers-color-scheme:dark){.b{fill:#8db4ff}.l{stroke:#0d1526}}</style><path class="b" d="M10 0h12a10 10 0 0 1 10 10v12a10 10 0 0 1-10 10H3a3 3 0 0 1-3-3V10A10 10 0 0 1 10 0z"/><path class="l" d="M10 23v-5M16 23V9M22 23v-9" fill="none" stroke-width="4" stroke-linecap="round"/></svg>`;

/** 32 pixels wide. */
export const faviconPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAB/klEQVR4nNyXz0sVURTHv+femejHzk2BmDUStaqQV+/ZqlUUkbmJcBFBFNQqWrXtTygIapstWkRgPkJoFRLls5BcCEH5+mE/aFGYoA' +
    '+cN/d4rqg8ZXgy42VG/cAMZ85c5ny59ztn7niI4wLroD5yhpiLzOgEqJMIe5AABn7LaZSZR0nTSNU7PoinFK0eR6sTe8++C3zPPJY7J+ASxpuwri59f3Gs2phWjRf7z1eu+n405ry4RZ5pnx10D19Z' +
    'mV4k6K5cJ4UHyAA2uFEdKD5cFtDW877D52hM1nkXMkB8NROSPjLZX5iQJWC1jaO+rIpbbC2f649sbdp3brikNb1FDkQRdymlUUIKTne14OX9wwuHjdNgaysxwUmk4GZvK4LW7QuHjdNALALEEKlm4E' +
    'Dbjtg4CUwoeUS0GzlBoHaFnHEuIKk5nQtIak4Pjklqzo3vARcNZ10CXDScZqzpARcNpxlbrw9sOgHO+0ASZMf8Z80Z+DRZcxLHIR+jD7rl0LU7zQb9narjYPtO/JsOce/JT3z+UUuVj0P+HZ5RR0+F' +
    'kReGe/PzAGO8xt5AXgLmyNDFX+XCbC4CGHx7olwct7ESA/xHRkitKcO4XO0v3V3KKXkZB5EJ/IqVf/TL82JfY9YzobqlfROKulMuN6gyzd9k2z1kQENs9Ouv5cLHuHHzAAAA///6qlrlAAAABklEQV' +
    'QDAOTAzNZ2L8TiAAAAAElFTkSuQmCC',
  'base64',
);

/** 180 pixels wide, on white: phones show it as a tile. */
export const touchIconPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAALQAAAC0CAIAAACyr5FlAAAI0klEQVR4nOzdf0zU9x3H8fcd3IHAlTvgkJ8i4E9w1l/g0rVd/JWsMWtjXE3Harus2zK7H9ZOa7M2TZelpqM/tV1S7X4k3VZ1s3X7Y8' +
    'k2q6Z1WRSx2kSgQhH5IShHAQEPOOTop5ISY3nbO+7z+d73873XIxfjH5cTvz79fD/f7/fz/V782NgYAUzGTgAMxAEsxAEsxAEsxAEsxAEsxAEsxAEsxAEsxAEsxAEsxAEsxAEsxAEsxAEsxAEsxAEs' +
    'xAEsxAEsxAEsxAEsxAEsxAEsxAEsxAGseNLHgH/0dP1AZ/eIr2eksycgfr3+Cvh6R/xDQTKTpES71+3wepyZaY4MtyPz+m+8HsfiOSkpSXGkCZv5b4ds7hg+Ut1z+GRvdW3/tVG9b96Mj7OVlbpWlb' +
    'lXLPUUZCeQuZk0jtEgnaztP3Ky50h174X2IbKimTmJopKVZZ5l811xpty9my6OYJD+8X7Xq3vb2n0Big25mc4tFfn33pVuN1ki5orjvarel/7a2tAySLFnzoxp2zbmr1jmJtMwSxynzw0898fmM/VX' +
    'KbYtmZey/aH8pfNdZALRj6OhdbDyrdaj1b0EX1i5zL11Y74YSyiqohzHwaNd218/HzTXcagpiPnHc48W3r/KS9ETtTjEHytmnb/7ezsB72cbcjc/kGuzUVREJ47ASPCxlxv/e7yH4Kvcc4fnxceKEx' +
    'xROJKJQhzdfSObnm84VTdAEJryUtdr22alpzrIWEbH0XJp6OFnz7VeHiYIx4zpCX96dm5BViIZyNA4+v2j67bWXOiw5hlP1QpzEt+tLHElG3c5zLg9WTA49osXGlDGlDW1D21+qVFsRjKKcXG8+Je2' +
    'Y2f6CCLwwekrYjOSUQyK42+HOvcc7CCImNiM//rfp2QII+I4Vdf/zO5mAkmeeO18dW0/qac8jo6uYXHgqvs6DFMZDow9+tsGsWFJMeVx/PrN5u6+awRSiU0qNiwppjYOMfqJq/AECogNW9fkJ5XUxv' +
    'Hy28ZNrWOQuJpNKimM4/jZ/qoaI+ZNMevYmStiI5MyCuN45W21XYOwa5/CsVlVHIdO9ODSmgHE2Pz+h1dIDVVxvILZhlFe+HMLqaEkjtomf31MLhKOio8vDDa2KblipSSOD5QNdDApsRMnBZTEcehE' +
    'N4GBFG1w+YsDOrsDHzXodIfB4rkp61dmFOdNm5X/+WrvT1oHxevAYZ9Gfwvxo17uDkxPc5JU8uPQ6JSoI972eEXeI/dl33irWVmJS7w2rMncc7B9176LI9f0uCp0uKq34luZJJX83Yqi/Z8K+3eU/G' +
    'hd9qQ3IcbZadP6nH07SkgTKja75Dj6/aPHz+qxomdLRd7C2cm3fs/ts5M3P5BLOhCbvf+q5AuckuMQe2stxuHSoqRN67NDeedP78+ZNzPKd56FQmz2T2Qf0EqOo6t3hHTw0Nosuz2kW4XE2x68Zzrp' +
    'QPrGlzwhbevU456Dotww1vgX5WowcpCCjS85Dl+PHiNHWPcoi6Nc0oH0jS85Dl12K8nTwngwV3qqHk9Ow24FWGYfOXTZrViSz+Qjh0+T3YolmX1COuAfJYgS6RsfTzAGFuIAFuIAFuIAFuIAFuIAFu' +
    'IAlk7ft2JyFliLehPEIYGV1qLeCHFIsH9HCbficHwt6h0LU9c/UUO6wZwjUhZbi3ojxBER661FvRHiiIgl16JOwJwjIpZcizoBcUTEkmtRJyCOiFhyLeoEzDmAhTiAhTiAhTiAhTiAhTiAhTiApfF5' +
    'DuutnzAbLeOw6voJs9EyDquunzAb/eYcFl4/YTaaxWHt9RNmo1kc1l4/YTaazTmsvX7CbDSLw9rrJ8xGszisvX7CbHCGFFiIA1iIA1iIA1iIA1iIA1iIA1iIA1iIA1iIA1iIA1iIA1iIA1iIA1iIA1' +
    'hY8WAdKUlhLHYJBeKwDq/bQVIhDuvwehAHMKSPHJpNSMP69slbvNlsnyNFhie246ht8of+5przV3X5HCm8bidJpVkcdeH9Y/h1+RwpvDE+cuz9z+XASDCUdw4NB/cf6tTlc6TIzUwgqTSL46IvsHPf' +
    'xVDe+eretnZfQJfPiZwj3lZalERS6XeGdPe7HWfqB279ng/PDfz+n5f0+pwIfX3BbS7ZJ8G0PH3+3afq9hzsCE42nI8G6Y13Or73dB2FwGyfE4k1yz0km21sTOYTcGatqyKjjD/2qSh32tyCpODYWE' +
    'PLYGPbVB77ZLbPmZr//2FRZprkoxWN44AJt89OfqeylGTDGVIrWLM8jRRAHFagYsJBiMMCCnMSi/PCeKZN6BCH9p5+pIDUQBx6Ky91fXNJKqmBOPS29cE8UgZxaGx1uXvJPBcpgzh0ZbfT4xUKhw1C' +
    'HPrasDpzToHkK203QRxaykp3bqlQ/vxuxKGfBKdt969mp6dKXtrzZYhDP5U/LyotSib1EIdmfrwue+2d6WQIxKGTuxenKj2xcRPEoQ1xDWXnL4tD/NIIKSSvBHPGG/ejx5SUpDgxCXUlG/qfWXIc0u' +
    '+rAWHFUvexNxcZ/w0hkuMoKVR7WiYG/fC+rD1PzZG+eDgUkuNYvuA2AknE+QwxyXjy+zNsUdpXS47j7sVuAhm8HseB50sNO2qdlOQ4ivMS71qkanlBjHDE235wb9a/dy2cH+19tOTV50Jj2+C3t5wN' +
    '4Dt/p2TtnWnbNubnyb6xcWrkxyEcOOx78vUmgnAsKE76zU8KvzbLiPPiIVJy3PydVd7uvmuVb7UShCDH69z+8Iy131Bye0EklIwc49470bN1Z+PAYEg3ocegmTmJq8vcq8o9S+a54kx5W6rCOISOru' +
    'Fn3mg+eqqX4Dq7nZbNd60s86wp9xRkm2JicQtq4xhXVdN//GzfR/UDLZeGL3cH/EPWH0uSE+3ZGQlif5GdMf5KyPU6s9KdYrQgfRgRB2gKTzAGFuIAFuIAFuIAFuIAFuIAFuIAFuIAFuIAFuIAFuIA' +
    'FuIAFuIAFuIAFuIAFuIAFuIAFuIAFuIAFuIAFuIAFuIAFuIAFuIAFuIA1mcAAAD//7YmgvoAAAAGSURBVAMAscBWneBcwfoAAAAASUVORK5CYII=',
  'base64',
);
