import assert from 'node:assert/strict'
import { faultsOf as formFaults } from '../../../../http/compilers.ts'
import { faultsOf } from '../../model/check.ts'
import { Content, type Panel } from '../../model/schema.ts'
import type { Imported } from '../import.ts'
import { GrafanaReport } from '../schema.ts'

/** Fails unless there are faults, or a dashboard that could be saved as it is with a report that fits it. */
export function requireSound(imported: Imported): void {
  if ('faults' in imported) {
    assert.ok(imported.faults.length > 0)
    return
  }
  const { content, report } = imported
  assert.deepEqual(formFaults(Content, content), [])
  assert.deepEqual(faultsOf(content), [])
  assert.deepEqual(formFaults(GrafanaReport, report), [])
  assert.deepEqual(
    report.panels.flatMap(({ id }) => id ?? []),
    content.panels.map(({ id }) => id)
  )
  for (const { id, outcome, notes } of report.panels) {
    assert.equal(outcome === 'left out', id === null)
    assert.equal(outcome === 'taken', notes.length === 0)
  }
  assert.deepEqual(overlaps(content.panels), [])
}

function overlaps(panels: readonly Panel[]): string[] {
  const found: string[] = []
  panels.forEach(({ id, position: a }, index) => {
    for (const { id: other, position: b } of panels.slice(index + 1)) {
      const isBeside = a.x + a.w <= b.x || b.x + b.w <= a.x
      const isAbove = a.y + a.h <= b.y || b.y + b.h <= a.y
      if (!isBeside && !isAbove) found.push(`${id} and ${other}`)
    }
  })
  return found
}
