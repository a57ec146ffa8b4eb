import { useState } from 'react'
import { Card } from '../components/Card.tsx'
import { ChangeButton } from '../components/ChangeButton.tsx'
import { CutNote } from '../components/CutNote.tsx'
import { DataTable } from '../components/DataTable.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { Answered, Empty } from '../components/states.tsx'
import { CreateKey } from './CreateKey.tsx'
import { type KeyAction, keyColumns } from './keyColumns.tsx'
import type { ApiKey } from './keyStatus.ts'
import { RenameKey } from './RenameKey.tsx'
import { RevokeKey } from './RevokeKey.tsx'
import { RotateKey } from './RotateKey.tsx'
import { useKeys } from './useKeys.ts'

type Open = { action: KeyAction; apiKey: ApiKey } | { action: 'create' } | null

/** The API keys of the organization. */
export function KeysPage() {
  const query = useKeys()
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const columns = keyColumns((action, apiKey) => setOpen({ action, apiKey }))
  return (
    <Page
      title="API keys"
      about="A program sends a key in the header x-api-key. Its secret is shown once, when it is made."
      actions={
        <ChangeButton
          permission="keys"
          className="button primary"
          onClick={() => setOpen({ action: 'create' })}
        >
          <Icon name="plus" />
          Make a key
        </ChangeButton>
      }
    >
      <Card title="Keys" isFlush>
        <Answered query={query}>
          {({ rows, isCut }) =>
            rows.length === 0 ? (
              <Empty title="No key yet">Make the first one, for a program of yours.</Empty>
            ) : (
              <>
                <DataTable
                  label="API keys"
                  rows={rows}
                  columns={columns}
                  keyOf={({ publicId }) => publicId}
                />
                <CutNote isCut={isCut} />
              </>
            )
          }
        </Answered>
      </Card>
      {open?.action === 'create' && <CreateKey onClose={close} />}
      {open?.action === 'rename' && <RenameKey apiKey={open.apiKey} onClose={close} />}
      {open?.action === 'rotate' && <RotateKey apiKey={open.apiKey} onClose={close} />}
      {open?.action === 'revoke' && <RevokeKey apiKey={open.apiKey} onClose={close} />}
    </Page>
  )
}
