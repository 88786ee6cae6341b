import { enableCompileCache } from 'node:module'
import { keepFilesToOwner } from './engines/own-files.ts'

keepFilesToOwner()

// Compiled code, with the types already stripped, is kept between starts: it halves the time to ready.
enableCompileCache(new URL('../node_modules/.cache/millrace', import.meta.url).pathname)

const { serve } = await import('./serve.ts')
await serve(process.env)
