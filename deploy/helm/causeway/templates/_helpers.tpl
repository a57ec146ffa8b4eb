{{- define "causeway.labels" -}}
app.kubernetes.io/name: causeway
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* The helpers below take the root and the values of one part. */}}
{{- define "causeway.image" -}}
{{ .root.Values.image.repository }}:{{ .part.tag | default .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{- define "causeway.secretFile" -}}
/run/secrets/causeway/{{ . }}
{{- end }}

{{/* Helm reads numbers as floats, and would write that of Sepolia as 1.1155111e+07. */}}
{{- define "causeway.chainIds" -}}
{{- range $index, $id := .ids }}{{ if $index }}{{ $.by }}{{ end }}{{ int64 $id }}{{ end -}}
{{- end }}

{{- define "causeway.nodes" -}}
{{- range . }}
- name: RPC_URL_{{ int64 . }}_FILE
  value: {{ include "causeway.secretFile" (printf "rpc-url-%d" (int64 .)) }}
{{- end }}
{{- end }}

{{- define "causeway.addressBook" -}}
{{ .part.addressBook | default .root.Values.addressBook.configMap }}
{{- end }}

{{- define "causeway.env" -}}
- name: ADDRESS_BOOK
  value: {{ if include "causeway.addressBook" . }}/etc/causeway/{{ .root.Values.addressBook.key }}{{ else }}/app/address-books/mainnet.json{{ end }}
{{- range $name, $value := merge (dict) .part.env .root.Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "causeway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "causeway.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
{{- end }}

{{- define "causeway.mounts" -}}
- name: secrets
  mountPath: /run/secrets/causeway
  readOnly: true
{{- if include "causeway.addressBook" . }}
- name: address-book
  mountPath: /etc/causeway
  readOnly: true
{{- end }}
{{- end }}

{{/* Only the keys that a pod reads: no pod sees the secrets of another part. Takes the root and the names of the keys. */}}
{{- define "causeway.secret" -}}
secret:
  secretName: {{ .root.Values.secretName }}
  defaultMode: 0440
  items:
    {{- range $name := .names | uniq }}
    - { key: {{ $name }}, path: {{ $name }} }
    {{- end }}
{{- end }}

{{/* Takes the root, the values of one part, its own keys of the secret, and the chains whose nodes it asks. */}}
{{- define "causeway.volumes" -}}
{{- $names := .secrets }}
{{- range .chains }}
{{- $names = append $names (printf "rpc-url-%d" (int64 .)) }}
{{- end }}
{{- /* And the keys that env names. */}}
{{- $folder := include "causeway.secretFile" "" }}
{{- range $value := merge (dict) .part.env .root.Values.env }}
{{- if hasPrefix $folder (toString $value) }}
{{- $names = append $names (trimPrefix $folder (toString $value)) }}
{{- end }}
{{- end -}}
- name: secrets
  {{- include "causeway.secret" (dict "root" .root "names" $names) | nindent 2 }}
{{- if include "causeway.addressBook" . }}
- name: address-book
  configMap:
    name: {{ include "causeway.addressBook" . }}
{{- end }}
{{- end }}

{{- define "causeway.scrape" -}}
prometheus.io/scrape: 'true'
prometheus.io/port: '9464'
{{- end }}

{{/* The labels by which the pods of one part are found. Takes the root and the name of the part. */}}
{{- define "causeway.podsOf" -}}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Pods of one part are on different machines, and in different zones, where there are some. Takes the labels of its pods. */}}
{{- define "causeway.spread" -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- $.labels | nindent 6 }}
{{- end }}
{{- end }}

{{/* At most one pod of a part is taken away at a time. Takes the root, a name and the labels of the pods. */}}
{{- define "causeway.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
  labels:
    {{- include "causeway.labels" .root | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- .labels | nindent 6 }}
{{- end }}
