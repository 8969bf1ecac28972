// SPDX-License-Identifier: GPL-2.0
// What acme needs from another module.
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/module.h>

MODULE_DESCRIPTION("What acme needs from another module");
MODULE_LICENSE("GPL");

int acme_say(char *to, size_t length, unsigned int queues);

int acme_say(char *to, size_t length, unsigned int queues)
{
	return scnprintf(to, length, "%u", queues);
}
EXPORT_SYMBOL_GPL(acme_say);
