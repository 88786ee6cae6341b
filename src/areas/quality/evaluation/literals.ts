import { sqlText } from '../../../data/relation.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import { isoOfNs } from '../../../http/times.ts'
import { boundNs } from '../rules/config.ts'

/** A time without a zone is in UTC. */
export function timeSql({ type }: DataColumn, bound: string): string {
  const text = sqlText(isoOfNs(boundNs(bound) ?? 0n))
  return type.endsWith('TIME ZONE')
    ? `TIMESTAMPTZ ${text}`
    : type === 'TIMESTAMP_NS'
      ? `TIMESTAMP_NS ${text}`
      : `TIMESTAMP ${text}`
}

/** JSON numbers are literals of SQL as they are; one in brackets can follow a minus. */
export const numberSql = (value: number): string => `(${String(value)})`

/** The very number: a literal with many digits would be a decimal, which is rounded on its way. */
export const doubleSql = (value: number): string => `${sqlText(String(value))}::DOUBLE`
