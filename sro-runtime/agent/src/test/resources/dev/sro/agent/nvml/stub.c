/*
 * A driver of two A100 with 40 GB and one GPU without MIG, as far as the agent asks: the MIG life cycle with its rules, and any return code on
 * demand. Written from the header's names, numbers and layouts. With -DOLD it has what drivers of the 450 series had with the calls that make
 * slices possible at all; with -DANCIENT not even those.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { OK = 0, UNINITIALIZED = 1, INVALID = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, GPU_IS_LOST = 15, IN_USE = 19, NO_ROOM = 23, BAD_VERSION = 25 };

#define GPUS 3
#define MOST 16

typedef struct { unsigned id, number, slices, size, count, engines[4]; uint64_t memory; const char *name; unsigned starts[8], places; } Profile;

/* Ids are not numbers: that is what others got wrong. */
static const Profile PROFILES[] = {
  {19, 0, 1, 1, 7, {0, 0, 0, 0}, 4864, "MIG 1g.5gb", {0, 1, 2, 3, 4, 5, 6}, 7},
  {14, 1, 2, 2, 3, {1, 0, 0, 0}, 9856, "MIG 2g.10gb", {0, 2, 4}, 3},
  {9, 2, 3, 4, 2, {2, 0, 0, 0}, 19968, "MIG 3g.20gb", {0, 4}, 2},
  {5, 3, 4, 4, 1, {2, 0, 0, 0}, 19968, "MIG 4g.20gb", {0}, 1},
  {0, 4, 7, 8, 1, {5, 0, 1, 1}, 40192, "MIG 7g.40gb", {0}, 1},
  {20, 7, 1, 1, 1, {1, 0, 1, 1}, 4864, "MIG 1g.5gb+me", {0, 1, 2, 3, 4, 5, 6}, 7},
  {15, 9, 1, 2, 4, {1, 0, 0, 0}, 9856, "MIG 1g.10gb", {0, 2, 4, 6}, 4},
};
#define PROFILE_COUNT (sizeof PROFILES / sizeof PROFILES[0])
#define LAST_NUMBER 12

/* Compute profiles: numbers 0 to 8, ids of their own. */
static const unsigned COMPUTE_SLICES[] = {1, 2, 3, 4, 7, 8, 6, 1, 7};

typedef struct { int used, compute; unsigned gpu, id, start; const Profile *profile; } Instance;

static Instance instances[GPUS * MOST];
static unsigned mode[GPUS] = {1, 1, 0}, pending[GPUS] = {1, 1, 0};
static int sessions, virtualization;
static char failing[128];
/* A file that is there as long as there is a session: by it others see that the GPUs are held open. */
static char held[512];
static void hold(void) {
  if (!held[0]) return;
  if (sessions) { FILE *file = fopen(held, "w"); if (file) fclose(file); } else { remove(held); }
}
static int failing_code, failing_after;

/* GPUs that fell off the bus, a bit each: nothing about them is answered, not even which they are. */
static unsigned lost;
#define LOST(gpu) (lost >> (gpu) & 1)

static int hopper, can_tell, recovery, event_sets, registered;
static struct { unsigned gpu; uint64_t xid; } queue[8];
static unsigned queued;

/* For the tests. */
void stub_lost(unsigned gpus) { lost = gpus; }
void stub_hopper(int yes) { hopper = yes; }
void stub_events(int yes) { can_tell = yes; }
void stub_recovery(int action) { recovery = action; }
void stub_xid(unsigned gpu, unsigned xid) { queue[queued].gpu = gpu; queue[queued++].xid = xid; }
int stub_held(const char *file) { snprintf(held, sizeof held, "%s", file); hold(); return 0; }
int stub_sessions(void) { return sessions; }
int stub_event_sets(void) { return event_sets; }
/* What nvidia-smi does: instances are gone, and what was pending is so. */
void stub_reset_gpu(unsigned gpu) {
  for (unsigned i = 0; i < GPUS * MOST; i++) if (instances[i].gpu == gpu) instances[i].used = 0;
  mode[gpu] = pending[gpu];
}
void stub_reset(void) {
  hopper = recovery = 0;
  lost = 0;
  can_tell = 1;
  queued = 0;
  memset(instances, 0, sizeof instances);
  mode[0] = mode[1] = pending[0] = pending[1] = 1;
  sessions = virtualization = event_sets = registered = 0;
  held[0] = 0;
  failing[0] = 0;
}
void stub_fail(const char *function, int code, int after) {
  snprintf(failing, sizeof failing, "%s", function);
  failing_code = code;
  failing_after = after;
}
void stub_mode(unsigned gpu, unsigned current, unsigned next) { mode[gpu] = current; pending[gpu] = next; }
void stub_virtualization(int what) { virtualization = what; }

#define BEGIN                                                                  \
  do {                                                                         \
    if (!sessions) return UNINITIALIZED;                                       \
    if (!strcmp(failing, __func__) && failing_after-- <= 0) { failing[0] = 0; return failing_code; } \
  } while (0)

/* Handles: a GPU is 1 to 3; instances are their addresses; MIG devices are those with the lowest bit set. */
#define GPU(handle) ((unsigned)(uintptr_t)(handle) - 1)
static int is_mig(void *handle) { return (uintptr_t)handle > 100 && ((uintptr_t)handle & 1); }
static Instance *mig(void *handle) { return (Instance *)((uintptr_t)handle & ~(uintptr_t)1); }

int nvmlInit_v2(void) {
  if (!strcmp(failing, __func__)) return failing_code;
  sessions++;
  hold();
  return OK;
}
int nvmlShutdown(void) {
  BEGIN;
  sessions--;
  hold();
  return OK;
}
int nvmlSystemGetDriverVersion(char *text, unsigned length) { BEGIN; snprintf(text, length, "%s", "580.65.06"); return OK; }
int nvmlSystemGetCudaDriverVersion_v2(int *version) { BEGIN; *version = 13010; return OK; }
int nvmlDeviceGetCount_v2(unsigned *count) { BEGIN; *count = GPUS; return OK; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **handle) {
  BEGIN;
  if (index >= GPUS) return INVALID;
  if (LOST(GPUS - index - 1)) return GPU_IS_LOST;
  *handle = (void *)(uintptr_t)(GPUS - index); /* not in the order of addresses */
  return OK;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char *text, void **handle) {
  BEGIN;
  for (unsigned gpu = 0; gpu < GPUS; gpu++) {
    char own[32];
    snprintf(own, sizeof own, "0000:%02x:00.0", 0x3b + gpu);
    if (!strcmp(own, text) && LOST(gpu)) return GPU_IS_LOST;
    if (!strcmp(own, text)) { *handle = (void *)(uintptr_t)(gpu + 1); return OK; }
  }
  return NOT_FOUND;
}
int nvmlDeviceGetPciInfo_v3(void *device, char *info) {
  BEGIN;
  if (LOST(GPU(device))) return GPU_IS_LOST;
  memset(info, 0xee, 68);
  uint32_t id = GPU(device) == 2 ? 0x1EB810DE : 0x20B010DE;
  memcpy(info + 28, &id, 4);
  snprintf(info + 36, 32, "%08X:%02X:00.0", 0, 0x3b + GPU(device));
  return OK;
}
int nvmlDeviceGetUUID(void *device, char *text, unsigned length) {
  BEGIN;
  if (is_mig(device)) {
    snprintf(text, length, "MIG-%u-%u", mig(device)->gpu, mig(device)->id);
  } else {
    snprintf(text, length, "GPU-%u", GPU(device));
  }
  return OK;
}
int nvmlDeviceGetName(void *device, char *text, unsigned length) {
  BEGIN;
  snprintf(text, length, "%s", GPU(device) == 2 ? "Tesla T4" : "NVIDIA A100-SXM4-40GB");
  return OK;
}
int nvmlDeviceGetMinorNumber(void *device, unsigned *minor) { BEGIN; *minor = 5 + GPU(device); return OK; }
int nvmlDeviceGetMemoryInfo(void *device, uint64_t *info) { BEGIN; (void)device; info[0] = 42505273344u; info[1] = info[2] = 0; return OK; }
int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *next) {
  BEGIN;
  if (GPU(device) == 2) return NOT_SUPPORTED;
  *current = mode[GPU(device)];
  *next = pending[GPU(device)];
  return OK;
}
int nvmlDeviceSetMigMode(void *device, unsigned next, int *activation) {
  BEGIN;
  unsigned gpu = GPU(device);
  if (gpu == 2) return NOT_SUPPORTED;
  for (unsigned i = 0; i < GPUS * MOST; i++)
    if (instances[i].used && instances[i].gpu == gpu) { *activation = IN_USE; return OK; }
  pending[gpu] = next;
  if (hopper) mode[gpu] = next;
  *activation = mode[gpu] == next ? OK : 16;
  return OK;
}
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor) {
  BEGIN;
  (void)device;
  *major = hopper ? 9 : 8;
  *minor = 0;
  return OK;
}
int nvmlEventSetCreate(void **set) { BEGIN; event_sets++; registered = 0; *set = (void *)(uintptr_t)77; return OK; }
int nvmlEventSetFree(void *set) { BEGIN; (void)set; event_sets--; return OK; }
int nvmlDeviceGetSupportedEventTypes(void *device, uint64_t *types) {
  BEGIN;
  *types = can_tell && GPU(device) != 2 ? 0x1f : 0;
  return OK;
}
int nvmlDeviceRegisterEvents(void *device, uint64_t types, void *set) {
  BEGIN;
  if (set != (void *)(uintptr_t)77 || types != 8 || GPU(device) == 2) return NOT_SUPPORTED;
  registered |= 1 << GPU(device);
  return OK;
}
int nvmlEventSetWait_v2(void *set, char *data, unsigned milliseconds) {
  BEGIN;
  (void)set; (void)milliseconds;
  if (!queued || !(registered & 1 << queue[0].gpu)) return 10;
  uint64_t type = 8;
  void *device = (void *)(uintptr_t)(queue[0].gpu + 1);
  uint32_t none[2] = {0xffffffff, 0xffffffff};
  memcpy(data, &device, 8);
  memcpy(data + 8, &type, 8);
  memcpy(data + 16, &queue[0].xid, 8);
  memcpy(data + 24, none, 8);
  memmove(queue, queue + 1, sizeof queue - sizeof queue[0]);
  queued--;
  return OK;
}
#ifndef OLD
int nvmlDeviceGetFieldValues(void *device, int count, char *values) {
  BEGIN;
  (void)device;
  for (int i = 0; i < count; i++) {
    uint32_t id, unknown = NOT_SUPPORTED, type = 1, ok = OK;
    memcpy(&id, values + 40 * i, 4);
    memcpy(values + 40 * i + 24, &type, 4);
    memcpy(values + 40 * i + 28, id == 230 ? &ok : &unknown, 4);
    memcpy(values + 40 * i + 32, &recovery, 4);
  }
  return OK;
}
#endif
int nvmlDeviceGetVirtualizationMode(void *device, int *what) { BEGIN; (void)device; *what = virtualization; return OK; }
#ifndef OLD
int nvmlDeviceGetNumaNodeId(void *device, unsigned *node) { BEGIN; *node = GPU(device) % 2; return OK; }
#endif

static const Profile *by_number(unsigned number) {
  for (unsigned i = 0; i < PROFILE_COUNT; i++) if (PROFILES[i].number == number) return &PROFILES[i];
  return 0;
}
static const Profile *by_id(unsigned id) {
  for (unsigned i = 0; i < PROFILE_COUNT; i++) if (PROFILES[i].id == id) return &PROFILES[i];
  return 0;
}
int nvmlDeviceGetGpuInstanceProfileInfo(void *device, unsigned number, uint32_t *info) {
  BEGIN;
  if (GPU(device) == 2) return NOT_SUPPORTED;
  if (number > LAST_NUMBER) return INVALID;
  const Profile *profile = by_number(number);
  if (!profile) return NOT_SUPPORTED;
  uint32_t own[10] = {profile->id, 0, profile->slices, profile->count, 14 * profile->slices, profile->slices,
    profile->engines[0], profile->engines[1], profile->engines[2], profile->engines[3]};
  memcpy(info, own, sizeof own);
  memcpy((char *)info + 40, &profile->memory, 8);
  return OK;
}
#ifndef OLD
int nvmlDeviceGetGpuInstanceProfileInfoV(void *device, unsigned number, char *info) {
  BEGIN;
  uint32_t version = *(uint32_t *)info;
#ifdef NO_V3
  if (version == 0x03000098) return BAD_VERSION;
#endif
  if (version != 0x03000098 && version != 0x02000098) return BAD_VERSION;
  if (number > LAST_NUMBER) return INVALID;
  const Profile *profile = by_number(number);
  if (!profile) return NOT_SUPPORTED;
  int v3 = version == 0x03000098;
  uint32_t three[10] = {version, profile->id, profile->slices, profile->count, 14 * profile->slices, profile->slices,
    profile->engines[0], profile->engines[1], profile->engines[2], profile->engines[3]};
  uint32_t two[11] = {version, profile->id, 0, profile->slices, profile->count, 14 * profile->slices, profile->slices,
    profile->engines[0], profile->engines[1], profile->engines[2], profile->engines[3]};
  memcpy(info, v3 ? three : two, v3 ? sizeof three : sizeof two);
  memcpy(info + (v3 ? 40 : 48), &profile->memory, 8);
  snprintf(info + (v3 ? 48 : 56), 96, "%s", profile->name);
  (void)device;
  return OK;
}
#endif
#ifdef OLD
int nvmlDeviceGetGpuInstancePossiblePlacements(void *device, unsigned id, uint32_t *places, unsigned *count) {
#else
int nvmlDeviceGetGpuInstancePossiblePlacements_v2(void *device, unsigned id, uint32_t *places, unsigned *count) {
#endif
  BEGIN;
  (void)device;
  const Profile *profile = by_id(id);
  if (!profile) return INVALID;
  *count = profile->places;
  for (unsigned i = 0; i < profile->places; i++) {
    places[2 * i] = profile->starts[profile->places - 1 - i]; /* in no order that one could rely on */
    places[2 * i + 1] = profile->size;
  }
  return OK;
}
#ifndef ANCIENT
int nvmlDeviceCreateGpuInstanceWithPlacement(void *device, unsigned id, const uint32_t *place, void **handle) {
  BEGIN;
  const Profile *profile = by_id(id);
  if (!profile || place[1] != profile->size) return INVALID;
  if (!mode[GPU(device)]) return NOT_SUPPORTED;
  int legal = 0;
  for (unsigned i = 0; i < profile->places; i++) legal |= profile->starts[i] == place[0];
  if (!legal) return INVALID;
  unsigned same = 0;
  Instance *unused = 0;
  for (unsigned i = 0; i < GPUS * MOST; i++) {
    Instance *other = &instances[i];
    if (!other->used) { unused = other; continue; }
    if (other->gpu != GPU(device)) continue;
    if (other->start < place[0] + profile->size && place[0] < other->start + other->profile->size) return NO_ROOM;
    same += other->profile == profile;
  }
  if (same >= profile->count) return NO_ROOM;
  *unused = (Instance){1, 0, GPU(device), 3 + place[0] + (profile->size == 1 ? 4 : 0), place[0], profile};
  *handle = unused;
  return OK;
}
#endif
int nvmlDeviceGetGpuInstances(void *device, unsigned id, void **handles, unsigned *count) {
  BEGIN;
  *count = 0;
  for (unsigned i = 0; i < GPUS * MOST; i++)
    if (instances[i].used && instances[i].gpu == GPU(device) && instances[i].profile->id == id) handles[(*count)++] = &instances[i];
  return OK;
}
int nvmlDeviceGetGpuInstanceById(void *device, unsigned id, void **handle) {
  BEGIN;
  for (unsigned i = 0; i < GPUS * MOST; i++)
    if (instances[i].used && instances[i].gpu == GPU(device) && instances[i].id == id) { *handle = &instances[i]; return OK; }
  return NOT_FOUND;
}
int nvmlGpuInstanceGetInfo(Instance *instance, uint32_t *info) {
  BEGIN;
  uint32_t own[6] = {instance->gpu + 1, 0, instance->id, instance->profile->id, instance->start, instance->profile->size};
  memcpy(info, own, sizeof own);
  return OK;
}
int nvmlGpuInstanceDestroy(Instance *instance) {
  BEGIN;
  if (instance->compute) return IN_USE;
  instance->used = 0;
  return OK;
}
int nvmlGpuInstanceGetComputeInstanceProfileInfo(Instance *instance, unsigned number, unsigned engine, uint32_t *info) {
  BEGIN;
  if (engine || number >= 9) return INVALID;
  if (COMPUTE_SLICES[number] > instance->profile->slices || number > 6) return NOT_SUPPORTED;
  memset(info, 0, 36);
  info[0] = 40 + number;
  info[1] = COMPUTE_SLICES[number];
  info[2] = instance->profile->slices / COMPUTE_SLICES[number];
  return OK;
}
int nvmlGpuInstanceGetComputeInstances(Instance *instance, unsigned id, void **handles, unsigned *count) {
  BEGIN;
  *count = 0;
  if (instance->compute && COMPUTE_SLICES[id - 40] == instance->profile->slices) handles[(*count)++] = instance;
  return OK;
}
int nvmlGpuInstanceGetComputeInstanceById(Instance *instance, unsigned id, void **handle) {
  BEGIN;
  if (!instance->compute || id) return NOT_FOUND;
  *handle = instance;
  return OK;
}
int nvmlGpuInstanceCreateComputeInstance(Instance *instance, unsigned id, void **handle) {
  BEGIN;
  if (id < 40 || id > 46 || COMPUTE_SLICES[id - 40] > instance->profile->slices) return INVALID;
  if (instance->compute) return NO_ROOM;
  if (COMPUTE_SLICES[id - 40] != instance->profile->slices) return NOT_SUPPORTED;
  instance->compute = 1;
  *handle = instance;
  return OK;
}
#ifdef OLD
int nvmlComputeInstanceGetInfo(Instance *instance, uint32_t *info) {
#else
int nvmlComputeInstanceGetInfo_v2(Instance *instance, uint32_t *info) {
#endif
  BEGIN;
  (void)instance;
  memset(info, 0, 24);
  return OK;
}
int nvmlComputeInstanceDestroy(Instance *instance) { BEGIN; instance->compute = 0; return OK; }
int nvmlDeviceGetMaxMigDeviceCount(void *device, unsigned *count) { BEGIN; *count = mode[GPU(device)] ? 7 : 0; return OK; }
int nvmlDeviceGetMigDeviceHandleByIndex(void *device, unsigned index, void **handle) {
  BEGIN;
  unsigned at = 1; /* with a hole at the beginning */
  for (unsigned i = 0; i < GPUS * MOST; i++)
    if (instances[i].used && instances[i].compute && instances[i].gpu == GPU(device) && at++ == index) {
      *handle = (void *)((uintptr_t)&instances[i] | 1);
      return OK;
    }
  return NOT_FOUND;
}
int nvmlDeviceGetGpuInstanceId(void *device, unsigned *id) { BEGIN; *id = mig(device)->id; return OK; }
int nvmlDeviceGetComputeInstanceId(void *device, unsigned *id) { BEGIN; (void)device; *id = 0; return OK; }
