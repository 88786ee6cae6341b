import { literally } from '../../../data/glob.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { outputSinks } from './references.ts'

/** Something that a pipeline puts out and the platform can read. */
export type Output =
  | { readonly kind: 'series'; readonly sourceId: string; readonly tag: string | undefined }
  | { readonly kind: 'object'; readonly bucket: string; readonly pattern: string }

/** What its `series` sinks write or, where it has none, its `object` sinks. */
export function outputsOf(pipelineId: string, nodes: readonly PipelineNode[]): readonly Output[] {
  const sinks = outputSinks(nodes)
  return distinct(sinks.map((node) => (node.type === 'series' ? seriesOutput(node) : objectOutput(pipelineId, node))))
}

/** As a data reference. */
export function referenceOf(output: Output): string {
  if (output.kind === 'object') return `object://${output.bucket}/${output.pattern}`
  return output.tag === undefined ? `series://${output.sourceId}` : `series://${output.sourceId}/${output.tag}`
}

function seriesOutput({ config }: PipelineNode): Output {
  const [, tag] = /^'(.*)'$/s.exec(String(config.tag)) ?? []
  return { kind: 'series', sourceId: String(config.source), tag: tag?.replaceAll("''", "'") }
}

/** Its own objects: others may lie beside them. */
function objectOutput(pipelineId: string, { id, config }: PipelineNode): Output {
  const prefix = literally(String(config.prefix))
  const pattern = `${prefix}**${pipelineId}-${id}-[0-9]*-[0-9]*.${config.format}`
  return { kind: 'object', bucket: String(config.bucket), pattern }
}

/** Two sinks may write to one source; its points are there once. A whole source has what its tags have. */
function distinct(outputs: readonly Output[]): Output[] {
  const byReference = new Map(outputs.map((output) => [referenceOf(output), output]))
  return [...byReference.values()].filter((output) => {
    if (output.kind !== 'series' || output.tag === undefined) return true
    return !byReference.has(`series://${output.sourceId}`)
  })
}
