const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * The number without its decimal point, with `scale` decimals. Rounded as other databases do; undefined if there are
 * too many digits before the point.
 */
export function scaledDecimal(text: string, precision: number, scale: number): bigint | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? []
  const digits = whole + fraction
  if (sign === undefined || digits === '') return undefined
  // The digits before the point, wherever the exponent puts it, and `scale` more.
  const kept = whole.length + Number(exponent) + scale
  let scaled = kept <= 0 ? 0n : BigInt(digits.slice(0, kept).padEnd(kept, '0'))
  if (kept >= 0 && (digits[kept] ?? '0') >= '5') scaled += 1n
  if (scaled >= 10n ** BigInt(precision)) return undefined
  return sign === '-' ? -scaled : scaled
}

export function decimalText(scaled: bigint, scale: number): string {
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`
}
