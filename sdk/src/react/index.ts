export { CausewayProvider, type CausewayProviderProps, useCauseway } from './causewayContext.ts'
export * from './hooks.ts'
export * from './options.ts'
export { transitQuoteOptions } from './transitQuoteOptions.ts'
