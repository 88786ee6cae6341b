import { WindowsLines } from '../../../../data/windows-lines.ts'
import { rewrite } from './text.ts'

export type ReadLines = Pick<WindowsLines, 'others' | 'isMixed'>

/** Makes a text UTF-8 line by line. */
export async function readLinesAlone(path: string, signal: AbortSignal): Promise<ReadLines> {
  const lines = new WindowsLines()
  await rewrite(path, signal, (chunks: AsyncIterable<Buffer>) => lines.read(chunks))
  return lines
}
