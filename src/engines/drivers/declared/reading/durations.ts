/** A stretch of time as ISO 8601 has it: months are as long as they are. */
interface Duration {
  readonly months: number
  readonly ms: number
}

const ISO_8601 =
  /^P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?$/

/** Undefined where it is none, or no time at all. */
function durationOf(text: string): Duration | undefined {
  const [whole, years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] =
    ISO_8601.exec(text)?.map((part) => part ?? 0) ?? []
  if (whole === undefined) return undefined
  const inDays = Number(weeks) * 7 + Number(days)
  const ms = (((inDays * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  const duration = { months: Number(years) * 12 + Number(months), ms }
  return duration.months + duration.ms > 0 ? duration : undefined
}

/** The moment so long after another, or before it; the moment itself where the duration is none. */
export function shifted(ms: number, text: string | undefined, direction: 1 | -1 = 1): number {
  const duration = text === undefined ? undefined : durationOf(text)
  if (duration === undefined) return ms
  const date = new Date(ms)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + direction * duration.months)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime() + direction * duration.ms
}
