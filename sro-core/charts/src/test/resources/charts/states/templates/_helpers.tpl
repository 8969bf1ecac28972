{{- define "states.labels" -}}
app: {{ .Chart.Name }}-{{ .Values.specialresource.metadata.name }}
version: {{ .Chart.AppVersion | quote }}
{{- end }}
