const TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,20}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d))?(?:\[[\w/+:-]{1,50}\])?$/

/**
 * Milliseconds since 1970; undefined where it is no time from 1970 to 9999. Producers write what their language does: with up
 * to nine digits after the second, without seconds, with the name of the zone behind the offset. Without an offset it is UTC.
 */
export function parseTime(text: string): number | undefined {
  const found = TIME.exec(text)
  if (found === null) return undefined
  const number = (group: number) => Number(found[group] ?? 0)
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(number) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const isDay = day >= 1 && new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1
  // A leap second has the number 60.
  if (!isDay || hour > 23 || minute > 59 || second > 60 || number(10) > 23 || number(11) > 59) return undefined
  const offsetMinutes = (number(10) * 60 + number(11)) * (found[9] === '-' ? -1 : 1)
  const fractionMs = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const ms = Date.UTC(year, month - 1, day, hour, minute - offsetMinutes, second, fractionMs)
  return ms >= 0 && ms < Date.UTC(10_000, 0) ? ms : undefined
}
