{{- define "library.labels" -}}
chart: {{ .Chart.Name }}
registry: {{ .Values.global.registry }}
{{- end -}}
