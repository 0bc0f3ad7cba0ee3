// The bot's registration with Azure Bot Service, and its channels. docs/running.md says what comes before and after it.
// Its authors have not deployed it: it was written from the reference of Microsoft.BotService 2022-09-15, and read.
//
//   az deployment group create --resource-group GROUP --template-file deploy/azure.bicep \
//     --parameters name=handbook-bot host=bot.example.com appId=00000000-0000-0000-0000-000000000000

@description('The name of the registration.')
@minLength(4)
@maxLength(42)
param name string

@description('What people see as the name of the bot.')
param displayName string = name

@description('The public name of the bot, such as bot.example.com.')
param host string

@description('The id of the app registration, or the client id of the managed identity: MicrosoftAppId.')
param appId string

@allowed(['SingleTenant', 'UserAssignedMSI'])
@description('How the bot authenticates: MicrosoftAppType. Azure makes no new multi-tenant registrations.')
param appType string = 'SingleTenant'

@description('The tenant of the app: MicrosoftAppTenantId.')
param tenantId string = tenant().tenantId

@description('The resource id of the managed identity, for UserAssignedMSI only.')
param identity string = ''

@allowed(['F0', 'S1'])
@description('F0 is free.')
param sku string = 'F0'

@description('The origins of the pages with Web Chat, as in WEBCHAT_ORIGINS. Without one there is no Direct Line.')
param webChatOrigins string[] = []

resource bot 'Microsoft.BotService/botServices@2022-09-15' = {
  name: name
  location: 'global'
  kind: 'azurebot'
  sku: {
    name: sku
  }
  properties: {
    displayName: displayName
    endpoint: 'https://${host}/api/messages'
    msaAppId: appId
    msaAppType: appType
    msaAppTenantId: tenantId
    msaAppMSIResourceId: appType == 'UserAssignedMSI' ? identity : null
    schemaTransformationVersion: '1.3'
  }
}

resource teams 'Microsoft.BotService/botServices/channels@2022-09-15' = {
  parent: bot
  name: 'MsTeamsChannel'
  location: 'global'
  properties: {
    channelName: 'MsTeamsChannel'
    properties: {
      isEnabled: true
    }
  }
}

resource directLine 'Microsoft.BotService/botServices/channels@2022-09-15' = if (!empty(webChatOrigins)) {
  parent: bot
  name: 'DirectLineChannel'
  location: 'global'
  properties: {
    channelName: 'DirectLineChannel'
    properties: {
      sites: [
        {
          siteName: 'web-page'
          isEnabled: true
          isV1Enabled: false
          isV3Enabled: true
          // The tokens of /webchat/token name a user and the page's origin, as this asks for.
          isSecureSiteEnabled: true
          trustedOrigins: webChatOrigins
        }
      ]
    }
  }
}
