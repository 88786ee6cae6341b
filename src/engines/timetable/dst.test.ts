import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Timing, timetableOf } from './index.ts'

type What = Pick<Timing, 'cron' | 'everySeconds'>
type Rows = Record<Timing['dst'], string[]>

/** The due times from a moment up to another as `HH:MM+offset effect`, as a clock of the zone shows them. */
function dues(what: What, timeZone: string, dst: Timing['dst'], from: string, to: string): string[] {
  const table = timetableOf({ ...what, timeZone, dst, startAt: from, endAt: to, exclusions: [] })
  const found = []
  for (let due = table.next(0); due !== undefined; due = table.next(due.atMs)) {
    const local = Temporal.Instant.fromEpochMilliseconds(due.atMs).toZonedDateTimeISO(timeZone)
    const time = `${local.toPlainTime().toString({ smallestUnit: 'minute' })}${local.offset}`
    found.push(due.effect === undefined ? time : `${time} ${due.effect}`)
  }
  return found
}

function check(what: What, timeZone: string, from: string, to: string, rows: Rows): void {
  for (const dst of ['skip', 'once', 'both'] as const) {
    assert.deepEqual(dues(what, timeZone, dst, from, to), rows[dst], `${JSON.stringify(what)} ${timeZone} ${dst}`)
  }
}

const same = (dues: string[]): Rows => ({ skip: dues, once: dues, both: dues })

describe('a time that the clock leaves out in spring', () => {
  it('is not due with skip, and due when the clock was put forward otherwise (Berlin)', () => {
    check({ cron: '30 2 * * *' }, 'Europe/Berlin', '2026-03-28T00:00Z', '2026-03-31T00:00Z', {
      skip: ['02:30+01:00', '02:30+02:00'],
      once: ['02:30+01:00', '03:00+02:00 moved', '02:30+02:00'],
      both: ['02:30+01:00', '03:00+02:00 moved', '02:30+02:00']
    })
  })

  it('is due once together with others of the same gap and with what is due then anyway (New York)', () => {
    check({ cron: '*/20 1-3 * * *' }, 'America/New_York', '2026-03-08T06:30Z', '2026-03-08T07:30Z', {
      skip: ['01:40-05:00', '03:00-04:00', '03:20-04:00'],
      once: ['01:40-05:00', '03:00-04:00 moved', '03:20-04:00'],
      both: ['01:40-05:00', '03:00-04:00 moved', '03:20-04:00']
    })
  })

  it('is half an hour on Lord Howe', () => {
    check({ cron: '0,15,29,30 2 * * *' }, 'Australia/Lord_Howe', '2026-10-03T15:00Z', '2026-10-03T16:00Z', {
      skip: ['02:30+11:00'],
      once: ['02:30+11:00 moved'],
      both: ['02:30+11:00 moved']
    })
  })

  it('is two hours at Troll', () => {
    check({ cron: '59 1,2 * * *' }, 'Antarctica/Troll', '2026-03-29T00:00Z', '2026-03-29T02:00Z', {
      skip: [],
      once: ['03:00+02:00 moved'],
      both: ['03:00+02:00 moved']
    })
  })

  it('is nothing to what allows every hour', () => {
    for (const hours of ['*', '*/1', '0-23', '0-11,12-23']) {
      check(
        { cron: `*/30 ${hours} * * *` },
        'Europe/Berlin',
        '2026-03-29T00:30Z',
        '2026-03-29T01:30Z',
        same(['01:30+01:00', '03:00+02:00'])
      )
    }
    const lordHowe = ['02:45+11:00', '03:00+11:00', '03:15+11:00']
    check({ cron: '*/15 * * * *' }, 'Australia/Lord_Howe', '2026-10-03T15:31Z', '2026-10-03T16:30Z', same(lordHowe))
  })

  it('is nothing to what is done every so many seconds', () => {
    const berlin = ['01:30+01:00', '03:00+02:00', '03:30+02:00']
    check({ everySeconds: 1800 }, 'Europe/Berlin', '2026-03-29T00:30Z', '2026-03-29T02:00Z', same(berlin))
  })
})

describe('a time that the clock shows twice in autumn', () => {
  it('is due the first time with skip and once, and both times with both (Berlin)', () => {
    check({ cron: '30 2 * * *' }, 'Europe/Berlin', '2026-10-24T00:00Z', '2026-10-27T00:00Z', {
      skip: ['02:30+02:00', '02:30+02:00 only-first', '02:30+01:00'],
      once: ['02:30+02:00', '02:30+02:00 only-first', '02:30+01:00'],
      both: ['02:30+02:00', '02:30+02:00 first-of-two', '02:30+01:00 second-of-two', '02:30+01:00']
    })
  })

  it('is due in the order of time (New York)', () => {
    check({ cron: '15,45 1-2 * * *' }, 'America/New_York', '2026-11-01T05:00Z', '2026-11-01T07:30Z', {
      skip: ['01:15-04:00 only-first', '01:45-04:00 only-first', '02:15-05:00'],
      once: ['01:15-04:00 only-first', '01:45-04:00 only-first', '02:15-05:00'],
      both: [
        '01:15-04:00 first-of-two',
        '01:45-04:00 first-of-two',
        '01:15-05:00 second-of-two',
        '01:45-05:00 second-of-two',
        '02:15-05:00'
      ]
    })
  })

  it('is half an hour on Lord Howe', () => {
    check({ cron: '15,45 1 * * *' }, 'Australia/Lord_Howe', '2026-04-04T14:00Z', '2026-04-04T16:00Z', {
      skip: ['01:15+11:00', '01:45+11:00 only-first'],
      once: ['01:15+11:00', '01:45+11:00 only-first'],
      both: ['01:15+11:00', '01:45+11:00 first-of-two', '01:45+10:30 second-of-two']
    })
  })

  it('is two hours at Troll', () => {
    check({ cron: '0 1-3 * * *' }, 'Antarctica/Troll', '2026-10-24T22:30Z', '2026-10-25T04:00Z', {
      skip: ['01:00+02:00 only-first', '02:00+02:00 only-first', '03:00+00:00'],
      once: ['01:00+02:00 only-first', '02:00+02:00 only-first', '03:00+00:00'],
      both: [
        '01:00+02:00 first-of-two',
        '02:00+02:00 first-of-two',
        '01:00+00:00 second-of-two',
        '02:00+00:00 second-of-two',
        '03:00+00:00'
      ]
    })
  })

  it('is due both times for what allows every hour, and every so many seconds', () => {
    const berlin = [
      '01:30+02:00',
      '02:00+02:00 first-of-two',
      '02:30+02:00 first-of-two',
      '02:00+01:00 second-of-two',
      '02:30+01:00 second-of-two',
      '03:00+01:00'
    ]
    const [from, to] = ['2026-10-24T23:30Z', '2026-10-25T02:30Z']
    for (const what of [{ cron: '*/30 * * * *' }, { cron: '0,30 0-23 * * *' }, { everySeconds: 1800 }]) {
      check(what, 'Europe/Berlin', from, to, same(berlin))
    }
  })
})
