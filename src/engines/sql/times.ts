const TIME = /^(\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d+))?(?:\+00(?::00)?)?$/

/** A time that a database printed in UTC, with at least six digits of a second; texts of another form are unchanged. */
export function toTimestampText(text: string): string {
  if (isWholeSecond(text)) return `${text.slice(0, 19)}.000000`
  const [, whole, fraction = ''] = TIME.exec(text) ?? []
  return whole === undefined ? text : `${whole}.${fraction.padEnd(6, '0')}`
}

/** `2026-03-01 08:00:00+00`, the most frequent form, told without the cost of a pattern. */
function isWholeSecond(text: string): boolean {
  return text.length === 22 && text[4] === '-' && text[10] === ' ' && text[16] === ':' && text.endsWith('+00')
}
