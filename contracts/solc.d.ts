declare module 'solc'
