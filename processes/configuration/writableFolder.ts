import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { EnvironmentError } from './environmentError.ts'

/** Throws `EnvironmentError` if the folder cannot be written, or cannot be made. It makes nothing. */
export async function assertFolderWritable(variable: string, folder: string) {
  const code = await problemOf(folder)
  if (code !== null)
    throw new EnvironmentError([
      `${variable}: cannot be written (${code}): ${folder}. Name a folder that this user may write.`,
    ])
}

/** The code of what is wrong with the folder or, where it does not exist, with the nearest one above it. */
async function problemOf(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return 'ENOTDIR'
    await access(folder, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return code === 'ENOENT' && dirname(folder) !== folder ? problemOf(dirname(folder)) : code
  }
}
