import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Timing, TimingError, timetableOf } from './index.ts'

const DAILY = { cron: '0 3 * * *', timeZone: 'UTC', dst: 'once', exclusions: [] } as const

function refusalOf(timing: object): string {
  try {
    timetableOf({ ...DAILY, ...timing } as Timing)
  } catch (error) {
    assert.ok(error instanceof TimingError)
    return `${error.pointer} ${error.message}`
  }
  throw new Error(`${JSON.stringify(timing)} was taken`)
}

const FIVE =
  'A cron expression has the 5 fields minute, hour, day-of-month, month and day-of-week, or 6 with second before them'
const MINUTES = 'allowed are 0 to 59, ranges (1-5), steps (*/2, 1-9/2), lists (1,3) and *'
const MONTH_DAYS = 'allowed are 1 to 31, L, LW, 15W or ?, ranges (1-5), steps (*/2, 1-9/2), lists (1,3) and *'
const WEEKDAYS = 'allowed are 0 to 7, sun to sat, fri#2, friL or ?, ranges (1-5), steps (*/2, 1-9/2), lists (1,3) and *'
const NICKNAMES = '@yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly'

const CRON: Record<string, string> = {
  '': `${FIVE}; this one has 0`,
  '* * * *': `${FIVE}; this one has 4`,
  '0 0 0 1 1 * 2030': `${FIVE}; this one has 7; years are said with startAt and endAt`,
  '60 * * * *': `The field minute has "60": ${MINUTES}`,
  '-1 * * * *': `The field minute has "-1": ${MINUTES}`,
  '1.5 * * * *': `The field minute has "1.5": ${MINUTES}`,
  '1,,2 * * * *': `The field minute has "": ${MINUTES}`,
  'H * * * *': `The field minute has "H": ${MINUTES}`,
  '*,5 * * * *': 'The field minute has "*,5": * stands alone in its field',
  '5/15 * * * *': 'The field minute has "5/15": a step needs a range: write 5-59/15',
  '*/0 * * * *': 'The field minute has "*/0": steps go from 1 to 60; for others there is everySeconds',
  '*/90 * * * *': 'The field minute has "*/90": steps go from 1 to 60; for others there is everySeconds',
  '60 0 3 * * *': `The field second has "60": ${MINUTES}`,
  '0 22-6 * * *': 'The field hour has "22-6": the range runs backwards: write 22-23,0-6',
  '0 24 * * *': 'The field hour has "24": allowed are 0 to 23, ranges (1-5), steps (*/2, 1-9/2), lists (1,3) and *',
  '0 ? * * *': 'The field hour has "?": ? stands alone in its field, which is day-of-month or day-of-week',
  '0 0 0 * *': `The field day-of-month has "0": ${MONTH_DAYS}`,
  '0 0 L-3 * *': `The field day-of-month has "L-3": ${MONTH_DAYS}`,
  '0 0 1,LW * *': `The field day-of-month has "LW": ${MONTH_DAYS}`,
  '0 0 W * *': `The field day-of-month has "W": ${MONTH_DAYS}`,
  '0 0 32W * *': `The field day-of-month has "32W": ${MONTH_DAYS}`,
  '0 0 1-5W * *': `The field day-of-month has "1-5W": ${MONTH_DAYS}`,
  '0 0 * juno *':
    'The field month has "juno": allowed are 1 to 12, jan to dec, ranges (1-5), steps (*/2, 1-9/2), lists (1,3) and *',
  '0 0 * * 8': `The field day-of-week has "8": ${WEEKDAYS}`,
  '0 0 * * L': `The field day-of-week has "L": ${WEEKDAYS}`,
  '0 0 * * funL': `The field day-of-week has "funL": ${WEEKDAYS}`,
  '0 0 * * fri#6': 'The field day-of-week has "fri#6": after # comes 1 to 5',
  '0 0 * * 1-5#2': `The field day-of-week has "1-5#2": ${WEEKDAYS}`,
  '0 0 * * +1': `The field day-of-week has "+1": ${WEEKDAYS}`,
  '0 0 * * fri-mon': 'The field day-of-week has "fri-mon": the range runs backwards: write 5-6,0-1',
  '@reboot': `"@reboot" is not known: of the names with @ there are ${NICKNAMES}`,
  '@daily 5': `"@daily 5" is not known: of the names with @ there are ${NICKNAMES}`,
  '0 0 30 2 *': '"0 0 30 2 *" never occurs: none of its months has such a day',
  '0 0 31W 4,feb ?': '"0 0 31W 4,feb ?" never occurs: none of its months has such a day'
}

describe('what is refused', () => {
  for (const [cron, message] of Object.entries(CRON)) {
    it(`is the expression "${cron}"`, () => assert.equal(refusalOf({ cron }), `/cron ${message}`))
  }

  it('is an expression that is too long, and is not repeated', () => {
    assert.equal(
      refusalOf({ cron: '0 '.repeat(5000) }),
      '/cron A cron expression has at most 500 characters; this one has 10000'
    )
    assert.ok(refusalOf({ cron: `${'x'.repeat(400)} * * * *` }).length < 250)
  })

  const others: [object, string][] = [
    [{ cron: undefined }, ' Give exactly one of cron, everySeconds and at'],
    [{ everySeconds: 60 }, ' Give exactly one of cron, everySeconds and at'],
    [
      { timeZone: 'Mars/Olympus' },
      '/timeZone There is no time zone "Mars/Olympus": give a name of the IANA database such as Europe/Berlin or UTC'
    ],
    [
      { timeZone: '' },
      '/timeZone There is no time zone "": give a name of the IANA database such as Europe/Berlin or UTC'
    ],
    [
      { timeZone: '+02:00' },
      '/timeZone "+02:00" is an offset, which does not know of daylight saving: name a zone such as Europe/Berlin, or Etc/GMT-2 for what is two hours ahead of UTC all year'
    ],
    [
      { startAt: '2026-01-01' },
      '/startAt "2026-01-01" is no moment: write one as 2026-12-24T18:00:00Z or 2026-12-24T18:00:00+01:00'
    ],
    [
      { startAt: '2026-02-30T00:00:00Z' },
      '/startAt "2026-02-30T00:00:00Z" is no moment: write one as 2026-12-24T18:00:00Z or 2026-12-24T18:00:00+01:00'
    ],
    [
      { startAt: '2026-02-20T10:00:00' },
      '/startAt "2026-02-20T10:00:00" is no moment: write one as 2026-12-24T18:00:00Z or 2026-12-24T18:00:00+01:00'
    ],
    [
      { endAt: '3000-01-01T00:00:00Z' },
      '/endAt "3000-01-01T00:00:00Z" is too far away: the year has to lie between 1970 and 2999'
    ],
    [
      { startAt: '2026-02-01T00:00:00Z', endAt: '2026-02-01T00:00:00Z' },
      '/endAt endAt 2026-02-01T00:00:00Z does not lie after startAt 2026-02-01T00:00:00Z'
    ],
    [
      { cron: undefined, at: 'tomorrow' },
      '/at "tomorrow" is no moment: write one as 2026-12-24T18:00:00Z or 2026-12-24T18:00:00+01:00'
    ],
    [
      { cron: undefined, at: '2026-02-01T00:00:00Z', endAt: '2026-02-01T00:00:00Z' },
      '/at 2026-02-01T00:00:00Z is never due: it lies before startAt, or not before endAt'
    ],
    ...[0, 1.5, -60, 31_536_001, Number.NaN].map((everySeconds): [object, string] => [
      { cron: undefined, everySeconds },
      `/everySeconds everySeconds is a whole number from 1 to 31536000, which is a year; this is ${everySeconds}`
    ])
  ]
  for (const [timing, message] of others) {
    it(`is ${JSON.stringify(timing)}`, () => assert.equal(refusalOf(timing), message))
  }

  const exclusions: [object, string][] = [
    [{}, ' An exclusion has to say what it excludes: date, days, or from and to'],
    [{ name: ' ', date: '12-25' }, '/name The name of an exclusion has 1 to 200 characters'],
    [{ date: '2026-02-29' }, '/date "2026-02-29" is no day: write one as 2026-12-25, or 12-25 for every year'],
    [{ date: 'christmas' }, '/date "christmas" is no day: write one as 2026-12-25, or 12-25 for every year'],
    [{ date: '02-30' }, '/date "02-30" is no day of a year: write the month and the day, as 12-25 for Christmas'],
    [{ date: '12-25', from: '10:00' }, ' An exclusion with date has no days, from or to: write two exclusions'],
    [{ from: '2026-12-24' }, ' Moments and dates are given as from and to, both of them; endAt ends a schedule'],
    [
      { days: ['mon'], from: '2026-12-24', to: '2026-12-25' },
      ' With days, from and to are times of day such as 22:00 and 06:00'
    ],
    [
      { from: '2026-12-24', to: '2026-12-25T00:00:00Z' },
      '/to "2026-12-25T00:00:00Z" is no day: write one as 2026-12-25'
    ],
    [{ from: '2026-12-24', to: '2026-12-23' }, '/to 2026-12-23 lies before 2026-12-24: the first day comes first'],
    [
      { from: '2026-12-24T00:00Z', to: '2026-12-24T00:00Z' },
      '/to 2026-12-24T00:00Z does not lie after 2026-12-24T00:00Z'
    ],
    [
      { from: '9:00', to: '10:00' },
      '/from "9:00" is no time of day: write hours and minutes from 00:00 to 23:59; an end may be 24:00'
    ],
    [
      { from: '24:00', to: '10:00' },
      '/from "24:00" is no time of day: write hours and minutes from 00:00 to 23:59; an end may be 24:00'
    ],
    [{ from: '22:00', to: '22:00' }, '/to from and to are both 22:00: leave them out for the whole day'],
    [{ days: [] }, '/days Name at least one day of mon, tue, wed, thu, fri, sat and sun, or leave days out'],
    [{ days: ['monday'] }, '/days Name at least one day of mon, tue, wed, thu, fri, sat and sun, or leave days out']
  ]
  for (const [exclusion, message] of exclusions) {
    it(`is the exclusion ${JSON.stringify(exclusion)}`, () => {
      assert.equal(refusalOf({ exclusions: [{ date: '01-01' }, exclusion] }), `/exclusions/1${message}`)
    })
  }

  it('are more exclusions than anybody needs', () => {
    const many = Array.from({ length: 1001 }, () => ({ date: '12-25' }))
    assert.equal(refusalOf({ exclusions: many }), '/exclusions There are 1001 exclusions; 1000 are allowed')
  })
})
