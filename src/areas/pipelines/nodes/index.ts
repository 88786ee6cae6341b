import { aggregate } from './aggregate.ts'
import { classify } from './classify.ts'
import { dedupe } from './dedupe.ts'
import { fileSource } from './file-source.ts'
import { filter } from './filter.ts'
import { generate } from './generate.ts'
import { httpSink } from './http-sink.ts'
import { httpSource } from './http-source.ts'
import { join } from './join.ts'
import { kafkaSink } from './kafka-sink.ts'
import { kafkaSource } from './kafka-source.ts'
import { map } from './map.ts'
import { mask } from './mask.ts'
import { mqttSink } from './mqtt-sink.ts'
import { mqttSource } from './mqtt-source.ts'
import { natsSink } from './nats-sink.ts'
import { natsSource } from './nats-source.ts'
import type { NodeType, PipelineNode } from './node-type.ts'
import { objectSink } from './object-sink.ts'
import { seriesSink } from './series-sink.ts'
import { seriesSource } from './series-source.ts'
import { sql } from './sql.ts'
import { sqlSink } from './sql-sink.ts'
import { sqlSource } from './sql-source.ts'
import { validate } from './validate.ts'
import { webhook } from './webhook.ts'

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
  webhook,
  filter,
  map,
  sql,
  aggregate,
  classify,
  dedupe,
  join,
  mask,
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
