import { sqlName } from '../../../../data/relation.ts'
import { Type } from '../../../../http/type.ts'
import { Config, type ConfigOf, Expressions, expressionParts } from '../../contract/config-parts.ts'
import { selectType } from '../../contract/node-type.ts'
import { selectList } from '../../duckdb/expression.ts'

const MapConfig = Config({
  select: Expressions('The columns of the new record, each a SQL expression of the old one'),
  keep: Type.Optional(Type.Boolean({ description: 'Whether the other columns stay; they do not unless said' }))
})

export const map = selectType<ConfigOf<typeof MapConfig>>({
  type: 'map',
  about: 'Makes one record of each.',
  config: MapConfig,
  inputs: { min: 1, max: 1 },
  accounting: 'maps',
  sql: ({ select }) => expressionParts('select', select, 'row'),
  select({ select, keep = false }, [input]) {
    const made = new Set(Object.keys(select).map((name) => name.toLowerCase()))
    const kept = keep ? (input?.columns ?? []).filter(({ name }) => !made.has(name.toLowerCase())) : []
    const list = [...kept.map(({ name }) => sqlName(name)), selectList(select)].join(', ')
    return `SELECT ${list}${input?.also} FROM ${input?.from}`
  }
})
