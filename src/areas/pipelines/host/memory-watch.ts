import { workerData } from 'node:worker_threads'
import { keepCompiledCode } from '../../../engines/compiled-code.ts'
import { type Limits, OUT_OF_MEMORY_SIGNAL } from './memory-limit.ts'

const LOOK_EVERY_MS = 25

const limits = workerData as Limits
setInterval(() => {
  const residentBytes = process.memoryUsage.rss()
  const [wanted = 0, limit = 0] = limits
  if (residentBytes > limit) process.kill(process.pid, OUT_OF_MEMORY_SIGNAL)
  else if (residentBytes <= wanted) limits[1] = wanted
}, LOOK_EVERY_MS)
keepCompiledCode()
