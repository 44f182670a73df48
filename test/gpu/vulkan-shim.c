/*
 * A libvulkan.so.1 that stands before the system's loader and offers VK_EXT_headless_surface. Headless Chromium's ANGLE asks for that
 * extension, and NVIDIA's driver lacks it. Nothing is ever presented, so the extension is dropped on the way down.
 *
 *   gcc -O2 -fPIC -shared -o libvulkan.so.1 vulkan-shim.c -ldl
 *
 * The result lies beside the executable of Chromium. SHOAL_VULKAN names the system's loader where it is not at its usual place.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The parts of <vulkan/vulkan_core.h> that are needed, so that the header need not be there. */
typedef void (*Function)(void);
typedef struct {
  char name[256];
  uint32_t version;
} ExtensionProperties;
typedef struct {
  int32_t type;
  const void *next;
  uint32_t flags;
  const void *application;
  uint32_t layerCount;
  const char *const *layers;
  uint32_t extensionCount;
  const char *const *extensions;
} InstanceCreateInfo;
enum { VULKAN_INCOMPLETE = 5, VULKAN_OUT_OF_HOST_MEMORY = -1, VULKAN_EXTENSION_NOT_PRESENT = -7 };

static const char *OFFERED = "VK_EXT_headless_surface";
static Function (*procOfLoader)(void *, const char *);

static void openLoader(void) {
  if (procOfLoader) return;
  const char *named = getenv("SHOAL_VULKAN");
  void *loader = dlopen(named ? named : "/usr/lib/x86_64-linux-gnu/libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (loader) procOfLoader = (Function (*)(void *, const char *))dlsym(loader, "vkGetInstanceProcAddr");
}

/* What the loader lists, and the one extension more. */
int32_t vkEnumerateInstanceExtensionProperties(const char *layer, uint32_t *count, ExtensionProperties *found) {
  openLoader();
  if (!procOfLoader) return VULKAN_EXTENSION_NOT_PRESENT;
  int32_t (*list)(const char *, uint32_t *, ExtensionProperties *) =
      (void *)procOfLoader(NULL, "vkEnumerateInstanceExtensionProperties");
  if (layer) return list(layer, count, found);
  uint32_t all = 0;
  int32_t result = list(NULL, &all, NULL);
  if (result < 0) return result;
  if (!found) {
    *count = all + 1;
    return 0;
  }
  const uint32_t room = *count;
  uint32_t listed = room < all ? room : all;
  result = list(NULL, &listed, found);
  if (result < 0) return result;
  if (room > listed && listed == all) {
    memset(&found[listed], 0, sizeof(ExtensionProperties));
    strcpy(found[listed].name, OFFERED);
    found[listed].version = 1;
    listed += 1;
  }
  *count = listed;
  return listed < all + 1 ? VULKAN_INCOMPLETE : 0;
}

/* An instance without the extension that only this file has. */
int32_t vkCreateInstance(const InstanceCreateInfo *info, const void *allocator, void **instance) {
  openLoader();
  if (!procOfLoader) return VULKAN_EXTENSION_NOT_PRESENT;
  int32_t (*create)(const InstanceCreateInfo *, const void *, void **) = (void *)procOfLoader(NULL, "vkCreateInstance");
  InstanceCreateInfo own = *info;
  const char **names = malloc(sizeof(char *) * (info->extensionCount + 1));
  if (!names) return VULKAN_OUT_OF_HOST_MEMORY;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < info->extensionCount; i++) {
    if (strcmp(info->extensions[i], OFFERED) != 0) names[kept++] = info->extensions[i];
  }
  own.extensionCount = kept;
  own.extensions = names;
  int32_t result = create(&own, allocator, instance);
  free(names);
  return result;
}

static int32_t refuseSurface(void) { return VULKAN_EXTENSION_NOT_PRESENT; }

Function vkGetInstanceProcAddr(void *instance, const char *name) {
  openLoader();
  if (!procOfLoader) return NULL;
  if (strcmp(name, "vkGetInstanceProcAddr") == 0) return (Function)vkGetInstanceProcAddr;
  if (strcmp(name, "vkEnumerateInstanceExtensionProperties") == 0) return (Function)vkEnumerateInstanceExtensionProperties;
  if (strcmp(name, "vkCreateInstance") == 0) return (Function)vkCreateInstance;
  if (strcmp(name, "vkCreateHeadlessSurfaceEXT") == 0) return (Function)refuseSurface;
  return procOfLoader(instance, name);
}
