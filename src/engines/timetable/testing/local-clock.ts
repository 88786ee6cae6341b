/** What clocks of a zone show, asked of Intl alone: the code under test asks Temporal. Times are minutes since the epoch. */
export class LocalClock {
  readonly zone: string
  readonly #format: Intl.DateTimeFormat
  #changes: readonly number[] | undefined

  constructor(zone: string) {
    this.zone = zone
    this.#format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit'
    })
  }

  /** What the clock shows, as the minute at which a clock of UTC shows the same. */
  shownAt(minute: number): number {
    const text = this.#format.format(minute * 60_000)
    return Date.parse(`${text.slice(0, 10)}T${text.slice(11, 16)}Z`) / 60_000
  }

  /** The minutes from which on the clock is ahead of UTC by more or less than before, 2020 to 2030. */
  get changes(): readonly number[] {
    this.#changes ??= this.#findChanges()
    return this.#changes
  }

  /** The moments at which the clock shows something: one, or none or two around a change. */
  momentsOf(shown: number): number[] {
    return this.#possible(shown).filter((minute) => this.shownAt(minute) === shown)
  }

  /** No moment at which the clock shows this or something later is earlier than this one. */
  earliestOf(shown: number): number {
    return this.#possible(shown)[0] as number
  }

  /** The minute at which the clock came to show more than what it never showed. */
  leftOutUntil(shown: number): number {
    let minute = this.earliestOf(shown)
    while (this.shownAt(minute) < shown) minute++
    return minute
  }

  /** No clock is ahead or behind by more than a day, and none is changed twice within two. */
  #possible(shown: number): number[] {
    const found = new Set([shown - 1440, shown + 1440].map((near) => shown - this.#ahead(near)))
    return [...found].sort((a, b) => a - b)
  }

  #ahead(minute: number): number {
    return this.shownAt(minute) - minute
  }

  #findChanges(): number[] {
    const changes = []
    const step = 720
    const end = Date.UTC(2031, 0, 1) / 60_000
    for (let minute = Date.UTC(2020, 0, 1) / 60_000; minute < end; minute += step) {
      if (this.#ahead(minute) === this.#ahead(minute + step)) continue
      let [before, after] = [minute, minute + step]
      while (after - before > 1) {
        const middle = Math.floor((before + after) / 2)
        if (this.#ahead(middle) === this.#ahead(minute)) before = middle
        else after = middle
      }
      changes.push(after)
    }
    return changes
  }
}

/** Zones that between them change their clocks at all hours, by 30 minutes to 2 hours, for good and for a month. */
export const ZONES: readonly string[] = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Africa/Casablanca',
  'Asia/Gaza',
  'America/Scoresbysund',
  'America/Nuuk',
  'Pacific/Apia',
  'Asia/Tehran',
  'Europe/Dublin',
  'America/Havana',
  'America/Santiago',
  'Asia/Beirut',
  'Africa/Cairo',
  'America/Asuncion',
  'America/St_Johns',
  'Pacific/Chatham',
  'Antarctica/Casey',
  'Asia/Kathmandu'
]
