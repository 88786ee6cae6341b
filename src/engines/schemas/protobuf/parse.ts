import type { Effort } from '../effort.ts'
import type { Parsed, Source } from '../format.ts'
import { printFile } from './canonical/print-file.ts'
import { link } from './link/link.ts'
import { loadFiles } from './link/load-files.ts'
import type { ProtobufModel } from './model.ts'

export function parse(source: Source, effort: Effort): Parsed<ProtobufModel> {
  const model = link(loadFiles(source, effort), effort)
  return {
    model,
    get canonical() {
      return printFile(model.file)
    }
  }
}
