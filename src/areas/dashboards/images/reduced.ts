import type { Cell, Frame } from '../../../engines/pictures/index.ts'
import type { PanelOptions } from '../model/schema.ts'

type Reduce = NonNullable<PanelOptions['reduce']>

/** Frames of one row each: what a panel that shows one number of a series makes of its values. */
export function reducedFrames(frames: readonly Frame[], reduce: Reduce): Frame[] {
  return frames.map((frame) => ({
    ...frame,
    values: frame.columns.map(({ type }, at) => {
      const cells = frame.values[at] ?? []
      return [type === 'number' ? numberOf(cells, reduce) : (cells.at(-1) ?? null)]
    })
  }))
}

function numberOf(cells: readonly Cell[], reduce: Reduce): number | null {
  const numbers = cells.filter((cell): cell is number => typeof cell === 'number' && Number.isFinite(cell))
  if (reduce === 'count') return numbers.length
  if (numbers.length === 0) return null
  switch (reduce) {
    case 'first':
      return numbers[0] as number
    case 'last':
      return numbers.at(-1) as number
    case 'min':
      return numbers.reduce((least, each) => Math.min(least, each))
    case 'max':
      return numbers.reduce((most, each) => Math.max(most, each))
    case 'sum':
      return numbers.reduce((sum, each) => sum + each, 0)
    case 'avg':
      return numbers.reduce((sum, each) => sum + each, 0) / numbers.length
  }
}
