{{- define "failures.need" -}}
{{ required "set .Values.needed" .needed }}
{{- end -}}
