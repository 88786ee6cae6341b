import type { FileModel, MethodModel, ServiceModel } from '../model.ts'
import type { MethodNode, ServiceNode } from '../syntax/nodes.ts'
import { buildEnum } from './build-enum.ts'
import { buildExtension, buildMessage } from './build-message.ts'
import { type Context, fault, optionsOf, scopeOf } from './context.ts'
import { DEFAULTS, featuresOf } from './features.ts'

export function buildFile(context: Context): FileModel {
  const { file } = context
  const features = featuresOf(DEFAULTS[file.syntax], file.options)
  const scope = scopeOf(context, file)
  return {
    syntax: file.syntax,
    packageName: file.packageName,
    imports: file.imports.map(({ path, modifier }) => ({ path, modifier })),
    options: optionsOf(file.options),
    messages: file.messages.map((message) => buildMessage(context, message, features)),
    enums: file.enums.map((enumeration) => buildEnum(context, enumeration, features)),
    services: file.services.map((service) => buildService(context, service)),
    extensions: file.extensions.map((extension) => buildExtension(context, extension, scope, features))
  }
}

function buildService(context: Context, { name, methods, options }: ServiceNode): ServiceModel {
  return { name, methods: methods.map((method) => buildMethod(context, method)), options: optionsOf(options) }
}

function buildMethod(context: Context, { name, input, output, options }: MethodNode): MethodModel {
  const [takes, gives] = [input, output].map(({ name: type, at }) => {
    const found = context.resolver.resolve(type, scopeOf(context, context.file), at)
    if (found.kind !== 'message') throw fault(context, `${type} is not a message`, at)
    return found.fullName
  }) as [string, string]
  return {
    name,
    input: takes,
    output: gives,
    isInputStream: input.isStream,
    isOutputStream: output.isStream,
    options: optionsOf(options)
  }
}
