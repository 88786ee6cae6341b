import type { ThemeName, Threshold } from './picture.ts'

export interface Theme {
  /** Behind the panels of a dashboard. */
  readonly page: string
  readonly panel: string
  readonly border: string
  readonly text: string
  /** For what is read second: axes, units, notes. */
  readonly muted: string
  readonly grid: string
  /** Where a gauge or a cell has no value. */
  readonly empty: string
  /** Told apart by people who see few colours, too, and dark or light enough to be seen on the panel. */
  readonly series: readonly string[]
  /** From the least value to the greatest; evenly lighter or darker, so that it can be read without colours. */
  readonly heat: readonly string[]
  readonly states: Readonly<Record<Threshold['color'], string>>
}

const LIGHT: Theme = {
  page: '#f3f5f8',
  panel: '#ffffff',
  border: '#dde2e9',
  text: '#18212d',
  muted: '#5a6676',
  grid: '#e8ecf1',
  empty: '#e8ecf1',
  series: ['#0b6bb3', '#d55e00', '#00866b', '#a8468f', '#a87600', '#3b9ad6', '#6a51a3', '#767f8c'],
  heat: ['#d9e8f6', '#aecdea', '#7fb2dd', '#3f88c5', '#155a99', '#08305d'],
  states: {
    green: '#1a8a4f',
    yellow: '#b58900',
    orange: '#d9660b',
    red: '#c9302c',
    blue: '#0b6bb3',
    grey: '#6b7684'
  }
}

const DARK: Theme = {
  page: '#0e1217',
  panel: '#171d25',
  border: '#2a323d',
  text: '#e9edf2',
  muted: '#9ba6b4',
  grid: '#262e39',
  empty: '#2a323d',
  series: ['#5ab4f0', '#ff9248', '#2fc7a0', '#e38fca', '#e6b93a', '#9bd6fa', '#b3a1e6', '#aab3bf'],
  heat: ['#20374d', '#234f78', '#2a699f', '#4593cf', '#86bfea', '#d7ecfc'],
  states: {
    green: '#3fc380',
    yellow: '#e6c13a',
    orange: '#ff9248',
    red: '#ff6b63',
    blue: '#5ab4f0',
    grey: '#9ba6b4'
  }
}

export function themeNamed(name: ThemeName): Theme {
  return name === 'dark' ? DARK : LIGHT
}

/** Patterns of lines, for when there are more series than colours. */
const DASHES = [undefined, '6 3', '2 3', '9 3 2 3'] as const

/** The colour of a series by its place, and the dashes that tell it from others of the same colour. */
export function seriesStyle(theme: Theme, place: number): { color: string; dashes: string | undefined } {
  const { series } = theme
  return {
    color: series[place % series.length] as string,
    dashes: DASHES[Math.floor(place / series.length) % DASHES.length]
  }
}

/** The colour of a value by the last threshold that it has reached, which rise; undefined where it has reached none. */
export function stateColor(theme: Theme, thresholds: readonly Threshold[], value: number): string | undefined {
  const reached = thresholds.findLast((threshold) => value >= threshold.value)
  return reached && theme.states[reached.color]
}

/** The colour of a share of the way from the least value to the greatest, 0 to 1. */
export function heatColor({ heat }: Theme, part: number): string {
  const place = Math.min(1, Math.max(0, part)) * (heat.length - 1)
  const below = Math.min(Math.floor(place), heat.length - 2)
  return blended(heat[below] as string, heat[below + 1] as string, place - below)
}

function blended(from: string, to: string, part: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [a, b] = [from, to].map((color) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number]
    return Math.round(a + (b - a) * part)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${channels.join('')}`
}
