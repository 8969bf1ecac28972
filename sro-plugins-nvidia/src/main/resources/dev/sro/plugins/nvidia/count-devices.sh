# Says which devices of the node a device plugin has to offer, as lines resource=amount in the termination message.
# Shell only: no other program is sure to be in the image. STRATEGY is how MIG devices are offered.
bus=0
for device in /sys/bus/pci/devices/*; do
  read -r vendor < "$device/vendor" && read -r class < "$device/class" || continue
  case "$vendor $class" in "0x10de 0x03"*) ;; *) continue ;; esac
  # Virtual functions and GPUs of virtual machines are nothing for containers.
  [ -e "$device/physfn" ] && continue
  for machines in /sys/bus/pci/drivers/*vfio*/"${device##*/}"; do [ -e "$machines" ] && continue 2; done
  bus=$((bus + 1))
done
set -f
driver=0 cut=0
for mode in $(nvidia-smi --query-gpu=mig.mode.current --format=csv,noheader); do
  driver=$((driver + 1))
  [ "$mode" = Enabled ] && cut=$((cut + 1))
done
# The bus knows GPUs that the driver gave up; where it is hidden, the driver has to do.
gpus=$bus
[ "$gpus" -gt 0 ] || gpus=$driver
[ "$STRATEGY" = none ] && cut=0
say() { echo "$1"; echo "$1" >> /dev/termination-log; }
[ "$gpus" -gt 0 ] && say "nvidia.com/gpu=$((gpus - cut))"
if [ "$cut" -gt 0 ]; then
  nvidia-smi -L | while read -r word profile rest; do
    [ "$word" = MIG ] || continue
    case "$profile" in *+*) profile=${profile%%+*}.${profile#*+} ;; esac
    if [ "$STRATEGY" = mixed ]; then say "nvidia.com/mig-$profile=1"; else say nvidia.com/gpu=1; fi
  done
fi
exit 0
