import { parentPort, workerData } from 'node:worker_threads'
import { yamlToJson } from './yaml-text.ts'

parentPort?.postMessage(yamlToJson(workerData as string))
