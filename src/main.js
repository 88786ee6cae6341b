import './quick-start.js'

const { keepFilesToOwner } = await import('./engines/own-files.ts')
keepFilesToOwner()
const { serve } = await import('./serve.ts')
await serve(process.env)
