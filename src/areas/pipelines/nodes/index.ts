import type { NodeType, PipelineNode } from '../contract/node-type.ts'
import { fileSource } from './files/source.ts'
import { generate } from './generate/source.ts'
import { httpSink } from './http/sink.ts'
import { httpSource } from './http/source.ts'
import { webhook } from './http/webhook.ts'
import { kafkaSink } from './messages/kafka-sink.ts'
import { kafkaSource } from './messages/kafka-source.ts'
import { mqttSink } from './messages/mqtt-sink.ts'
import { mqttSource } from './messages/mqtt-source.ts'
import { natsSink } from './messages/nats-sink.ts'
import { natsSource } from './messages/nats-source.ts'
import { objectSink } from './objects/sink.ts'
import { seriesSink } from './series/sink.ts'
import { seriesSource } from './series/source.ts'
import { sqlSink } from './sql/sink.ts'
import { sqlSource } from './sql/source.ts'
import { streamSource } from './streams/source.ts'
import { aggregate } from './transforms/aggregate.ts'
import { classify } from './transforms/classify.ts'
import { dedupe } from './transforms/dedupe.ts'
import { filter } from './transforms/filter.ts'
import { join } from './transforms/join.ts'
import { map } from './transforms/map.ts'
import { mask } from './transforms/mask.ts'
import { quality } from './transforms/quality.ts'
import { sql } from './transforms/sql.ts'
import { validate } from './transforms/validate.ts'

/** Every type of node there is. A source and a sink may share a name: where a node stands tells which is meant. */
export const NODE_TYPES: readonly NodeType[] = [
  fileSource,
  generate,
  httpSource,
  kafkaSource,
  mqttSource,
  natsSource,
  seriesSource,
  sqlSource,
  streamSource,
  webhook,
  filter,
  map,
  sql,
  aggregate,
  classify,
  dedupe,
  join,
  mask,
  quality,
  validate,
  seriesSink,
  objectSink,
  httpSink,
  kafkaSink,
  mqttSink,
  natsSink,
  sqlSink
]

export type Role = NodeType['role']

/** What the place of a node in its pipeline makes it. */
export function roleOf(node: PipelineNode, nodes: readonly PipelineNode[]): Role {
  if (node.inputs.length === 0) return 'source'
  return nodes.some(({ inputs }) => inputs.includes(node.id)) ? 'transform' : 'sink'
}

/** The types of that name, of which there may be one for each role. */
export const typesNamed = (name: string): NodeType[] => NODE_TYPES.filter(({ type }) => type === name)

/** The type that a node has by its name and place; in the wrong place, the only one of that name. */
export function meantType(node: PipelineNode, nodes: readonly PipelineNode[]): NodeType | undefined {
  const role = roleOf(node, nodes)
  const named = typesNamed(node.type)
  return named.find((type) => type.role === role) ?? (named.length === 1 ? named[0] : undefined)
}

/** The types of the nodes of a pipeline that has been checked, by node. */
export function typesOf(nodes: readonly PipelineNode[]): Map<string, NodeType> {
  return new Map(
    nodes.map((node) => {
      const role = roleOf(node, nodes)
      return [node.id, typesNamed(node.type).find((type) => type.role === role) as NodeType]
    })
  )
}

/** The data that a node reads or writes. */
export function referencesIn({ config }: PipelineNode, type: NodeType | undefined): readonly string[] {
  return type === undefined || type.role === 'transform' ? [] : type.references(config as never)
}
