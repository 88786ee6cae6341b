import type { Effort } from '../../effort.ts'
import type { Difference } from '../../format.ts'
import type { ProtobufModel, ServiceModel } from '../model.ts'
import { RULES } from '../rules.ts'
import { compareMessage } from './compare-message.ts'
import { compareTypesWithin } from './compare-types-within.ts'
import { Comparison } from './comparison.ts'

export function differences(written: ProtobufModel, read: ProtobufModel, effort: Effort): Difference[] {
  const comparison = new Comparison(written, read, effort)
  const [before, after] = [written.file, read.file]
  if (before.packageName !== after.packageName) {
    comparison.add(RULES.package_changed, '/package', before.packageName, after.packageName)
  }
  if (before.syntax !== after.syntax) comparison.add(RULES.syntax_changed, '/syntax', before.syntax, after.syntax)
  comparison.compareOptions('', before.options, after.options)
  compareTypesWithin(comparison, before, after)
  compareServices(comparison, before.services, after.services)
  // What is only imported, as far as fields refer to it.
  for (let next = comparison.next(); next !== undefined; next = comparison.next()) compareMessage(comparison, ...next)
  return comparison.found
}

function compareServices(
  comparison: Comparison,
  written: readonly ServiceModel[],
  read: readonly ServiceModel[]
): void {
  const [before, after] = [written, read].map(
    (services) => new Map(services.map((service) => [service.name, methodsOf(service)]))
  ) as [Map<string, string[]>, Map<string, string[]>]
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name), after.get(name)]
    if (old?.join() !== now?.join()) comparison.add(RULES.service_changed, `/services/${name}`, old, now)
  }
}

function methodsOf({ methods }: ServiceModel): string[] {
  const texts = methods.map(({ name, input, output, isInputStream, isOutputStream }) => {
    return `${name}(${isInputStream ? 'stream ' : ''}${input}) → ${isOutputStream ? 'stream ' : ''}${output}`
  })
  return texts.sort()
}
