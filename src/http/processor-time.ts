import { metricText } from './metric-text.ts'

/** The names and meanings that dashboards know from other servers. */
const SHOWN = {
  process_cpu_user_seconds_total: 'Processor time of the process since its start, in code of its own',
  process_cpu_system_seconds_total: 'Processor time of the process since its start, in the kernel',
  process_cpu_seconds_total: 'Processor time of the process since its start'
}

export const PROCESSOR_METRICS = Object.keys(SHOWN) as (keyof typeof SHOWN)[]

/** Processor time of the process. The client library has it begin where somebody first asks, so that what the start took is missing. */
export function renderProcessorTime(): string {
  const { user, system } = process.cpuUsage()
  const values = {
    process_cpu_user_seconds_total: user / 1e6,
    process_cpu_system_seconds_total: system / 1e6,
    process_cpu_seconds_total: (user + system) / 1e6
  }
  return PROCESSOR_METRICS.map((name) => metricText(name, 'counter', SHOWN[name], [{ value: values[name] }])).join('')
}
